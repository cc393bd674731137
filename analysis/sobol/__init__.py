"""Which rule numbers matter: Sobol indices over their ranges, and curves of one at a time.

All rule sets are played on the same deals. An index is the share of a metric's variance over the rule sets that a
number makes alone (first order), or has any part in (total). Monte Carlo noise is taken out of the indices, and
what is left of it is in their intervals. `analysis.sensitivity` is `analyse.sensitivity`.
"""
