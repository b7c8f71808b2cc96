# marginal_pc() that measures otherwise, through the function behind it: `stages` and `select` are
# what that function takes beside the arguments of marginal_pc().
marginal_pc_with <- function(data, epsilon, ..., stages = list(), select = NULL) {
  usual <- formals(marginal_pc)
  usual <- lapply(usual[setdiff(names(usual), c("data", "epsilon", "..."))], eval)
  args <- utils::modifyList(
    usual, list(data = data, epsilon = epsilon, threads = 1, progress = FALSE, ...), keep.null = TRUE
  )
  called <- quote(marginal_pc(data, epsilon))
  privpc:::learn_from_marginals(args, environment(), called, stages, select)
}
