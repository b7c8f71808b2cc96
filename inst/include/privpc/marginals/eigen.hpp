// The parts of Eigen that are used here. In R its headers come with the package RcppEigen; nothing
// of R is needed for them.
//
// Treated as a header of the system: its own warnings are not for those who compile this package.
#pragma once
#pragma GCC system_header

// Results must not depend on the number of threads, whatever the flags of the compiler are.
#ifndef EIGEN_DONT_PARALLELIZE
#define EIGEN_DONT_PARALLELIZE
#endif
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
