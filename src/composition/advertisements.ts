import { readFileSync } from 'node:fs'
import type { Config } from '#config/table.ts'
import type { HttpOptions } from '#http/options.ts'
import { fileError } from './start-errors.ts'

/** Reads the files at the start, so that a missing file stops the start with a one-line error. */
export const readAdvertisements = ({ pages }: Pick<Config, 'pages'>): HttpOptions['ads'] => ({
  ...advertisement('top', pages.adTopFile, pages.adTopHeight),
  ...advertisement('bottom', pages.adBottomFile, pages.adBottomHeight),
})

function advertisement(place: 'top' | 'bottom', file: string | undefined, height: number): HttpOptions['ads'] {
  if (file === undefined) return {}
  try {
    return { [place]: { html: readFileSync(file, 'utf8'), height } }
  } catch (error) {
    throw fileError(place === 'top' ? 'AD_TOP_FILE' : 'AD_BOTTOM_FILE', file, error)
  }
}
