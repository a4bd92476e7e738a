#include "provisioner/base/pch.hpp"
