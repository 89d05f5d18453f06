/** What the measuring frame reports, in CSS pixels: the size of the message, laid out at the width `at`. */
interface Measured {
  at: number
  width: number
  height: number
}

export interface Fit {
  /** The width at which the message is laid out. */
  width: number
  /** Null until it is measured. */
  height: number | null
  /** How often the width was increased. */
  steps: number
}

/** A message that claims to be taller or wider scrolls in its frame. */
export const MAX_HEIGHT = 20_000
const MIN_HEIGHT = 48
const MAX_ZOOM_OUT = 2.5
/** With a greater width, styles for narrow screens may end, and the message may become wider again. */
const MAX_STEPS = 3

/** Whether the data of a message event is a measurement. */
export const isMeasured = (data: unknown): data is Measured =>
  ['at', 'width', 'height'].every((name) => Number.isFinite((data as Record<string, unknown> | null)?.[name]))

export const firstFit = (available: number): Fit => ({ width: available, height: null, steps: 0 })

/**
 * Returns the size for a measured message. If it is wider than the page, it is laid out at its own width, to be scaled
 * down. Measurements at another width than the current one are outdated.
 */
export function fitTo(fit: Fit, { at, width, height }: Measured, available: number): Fit {
  if (at !== fit.width) return fit
  const wanted = Math.min(Math.ceil(width), Math.floor(available * MAX_ZOOM_OUT))
  if (wanted > fit.width + 1 && fit.steps < MAX_STEPS) return { ...fit, width: wanted, steps: fit.steps + 1 }
  return { ...fit, height: Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, Math.ceil(height))) }
}
