import { randomBytes } from 'node:crypto'
import { SECRET_BYTES } from '../ids.ts'

/** Creates the secret of an address: 256 random bits as 43 characters of base64url. */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')
