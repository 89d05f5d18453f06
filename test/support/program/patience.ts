/**
 * How long tests wait for something that will happen, in milliseconds. It is long enough for a machine that has ten times more
 * to do than it can; what never happens fails all the same, only later.
 */
export const PATIENCE = 120_000
