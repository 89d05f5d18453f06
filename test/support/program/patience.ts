/**
 * How long tests wait for a condition, in milliseconds. It is long enough for a machine with ten times its capacity of
 * work. A condition that never holds still fails, only later.
 */
export const PATIENCE = 120_000
