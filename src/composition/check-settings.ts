import { ConfigError, pathError } from '#config/load.ts'
import { checkKey, keyExposure } from '#config/secret-key.ts'
import { checkStart, startWarnings } from '#config/site.ts'
import { type Config, PREFIX } from '#config/table.ts'
import { checkDirectory } from '#files/directory.ts'
import { readCertificate } from '#smtp/certificate.ts'
import { checkUrl } from '#store/dialects/postgres/connections.ts'
import { readAdvertisements } from './advertisements.ts'
import { certificateError } from './start-errors.ts'

/**
 * Checks settings and the files that they name, and returns what the start would warn of. Rejects with `ConfigError` for
 * what would stop the start. Opens no database, and creates nothing.
 */
export async function checkSettings(config: Config): Promise<string[]> {
  checkStart(config)
  await checkDatabase(config)
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

/** Checks that the data directory can be used, or the URL of the database and the files that it names. */
async function checkDatabase({ storage: { databaseUrl, directory } }: Config): Promise<void> {
  if (databaseUrl === undefined)
    await checkDirectory(directory, { mayBeMissing: true }).catch((error: unknown) => {
      throw pathError('DATA_DIR', directory, error)
    })
  else
    try {
      checkUrl(databaseUrl)
    } catch (error) {
      throw new ConfigError(`${PREFIX}DATABASE_URL can't be used: ${(error as Error).message}`, { cause: error })
    }
}
