"""The linear-time variational integrator in minimal coordinates: a discrete action on SE(3), stepped along the tree."""
