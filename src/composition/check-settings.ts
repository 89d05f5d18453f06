import { checkKey, keyExposure } from '#config/secret-key.ts'
import { checkStart, startWarnings } from '#config/site.ts'
import type { Config } from '#config/table.ts'
import { readCertificate } from '#smtp/certificate.ts'
import { readAdvertisements } from './advertisements.ts'
import { certificateError } from './start-errors.ts'

/**
 * Checks settings and the files that they name, and returns what the start would warn of. Rejects with `ConfigError` for
 * what would stop the start. Opens no database, and creates nothing.
 */
export async function checkSettings(config: Config): Promise<string[]> {
  checkStart(config)
  await checkKey(config)
  readAdvertisements(config)
  const { certFile, keyFile } = config.smtp
  if (certFile !== undefined && keyFile !== undefined)
    await readCertificate({ certFile, keyFile }).catch((error: unknown) => {
      throw certificateError(config, error)
    })
  const warnings = [...startWarnings(config), await keyExposure(config)]
  return warnings.filter((warning) => warning !== undefined)
}
