# Records of real people that come with R (package survival), as factors. The cut points are
# quantiles of the records: good enough to compare learners, not for a private analysis.

quantile_groups <- function(x, groups = 4L) {
  cuts <- unique(stats::quantile(x, seq(0, 1, length.out = groups + 1L), na.rm = TRUE))
  cuts[c(1L, length(cuts))] <- c(-Inf, Inf)
  out <- as.character(as.integer(cut(x, cuts)))
  out[is.na(out)] <- "missing"
  factor(out)
}

real_records <- function() {
  if (!requireNamespace("survival", quietly = TRUE)) return(list())
  nafld <- survival::nafld1
  chain <- survival::flchain
  breast <- survival::rotterdam
  gammopathy <- survival::mgus2
  list(
    nafld1 = data.frame(
      age = quantile_groups(nafld$age), male = factor(nafld$male),
      weight = quantile_groups(nafld$weight), height = quantile_groups(nafld$height),
      bmi = quantile_groups(nafld$bmi),
      case = factor(!is.na(nafld$case.id) & nafld$case.id == nafld$id),
      futime = quantile_groups(nafld$futime), status = factor(nafld$status)
    ),
    flchain = data.frame(
      age = quantile_groups(chain$age), sex = chain$sex,
      sample.yr = quantile_groups(chain$sample.yr, 3L), kappa = quantile_groups(chain$kappa),
      lambda = quantile_groups(chain$lambda), flc.grp = quantile_groups(chain$flc.grp, 3L),
      creatinine = quantile_groups(chain$creatinine), mgus = factor(chain$mgus),
      futime = quantile_groups(chain$futime), death = factor(chain$death)
    ),
    rotterdam = data.frame(
      year = quantile_groups(breast$year, 3L), age = quantile_groups(breast$age),
      meno = factor(breast$meno), size = factor(breast$size), grade = factor(breast$grade),
      nodes = quantile_groups(breast$nodes, 3L), pgr = quantile_groups(breast$pgr, 3L),
      er = quantile_groups(breast$er, 3L), hormon = factor(breast$hormon),
      chemo = factor(breast$chemo), recur = factor(breast$recur), death = factor(breast$death)
    ),
    mgus2 = data.frame(
      age = quantile_groups(gammopathy$age), sex = gammopathy$sex,
      dxyr = quantile_groups(gammopathy$dxyr, 3L), hgb = quantile_groups(gammopathy$hgb),
      creat = quantile_groups(gammopathy$creat), mspike = quantile_groups(gammopathy$mspike, 3L),
      pstat = factor(gammopathy$pstat), death = factor(gammopathy$death)
    )
  )
}

# Records of a random network (random_networks.R), and its true graph.
as_records <- function(network, rows) {
  nodes <- sprintf("v%02d", seq_along(network$levels))
  data <- Map(function(x, k) {
    structure(x, levels = as.character(seq_len(k)), class = "factor")
  }, simulate_rows(network, rows), network$levels)
  truth <- matrix(0L, length(nodes), length(nodes), dimnames = list(nodes, nodes))
  for (v in seq_along(network$parents)) truth[network$parents[[v]], v] <- 1L
  list(data = as.data.frame(stats::setNames(data, nodes)), truth = truth)
}
