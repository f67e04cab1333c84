"""The step of most game and robot simulators: v⁺ = v + h v̇(q, v), then q⁺ = q ⊕ h v⁺."""
