"""URDF, the format of ROS: read strictly, written back exactly, with closed loops as an extension."""
