const WIDE = /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]/
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Returns the columns of a text: one per grapheme, two per wide or fullwidth one (Unicode Standard Annex 11). */
export function widthOf(text: string): number {
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1
  return width
}
