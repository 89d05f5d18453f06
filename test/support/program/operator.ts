import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SECRET_KEY_FILE } from '#config/secret-key.ts'
import { operatorSecret } from '#mail/sealing/keys.ts'
import { type ApiClient, clientOf } from './api.ts'
import type { SharedProgram } from './program.ts'

/** The operator mailbox, opened with the service key. */
export function operatorOf({ url, dataDir }: SharedProgram): ApiClient {
  const key = Buffer.from(readFileSync(join(dataDir, SECRET_KEY_FILE), 'utf8').trim(), 'hex')
  return clientOf(url, 'operator', operatorSecret(key))
}
