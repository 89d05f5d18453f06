import { replies } from './replies.ts'

export const MECHANISMS = ['PLAIN', 'LOGIN', 'CRAM-MD5']

// The LOGIN challenges are `Username:` and `Password:` in Base64. The CRAM-MD5 challenge is defined in RFC 2195.
const USERNAME = '334 VXNlcm5hbWU6\r\n'
const PASSWORD = '334 UGFzc3dvcmQ6\r\n'
const EMPTY = '334 \r\n'
const challenge = (hostname: string): string =>
  `334 ${Buffer.from(`<${process.hrtime.bigint()}@${hostname}>`).toString('base64')}\r\n`

/**
 * AUTH (RFC 4954) that accepts any user name and password, and neither checks nor stores them. It is for clients that
 * cannot send without authentication.
 */
export class AnyAuth {
  /** The challenges that are not sent yet. While this is set, the client's next line is a response. */
  #pending: string[] | undefined
  #done = false

  get awaitsResponse(): boolean {
    return this.#pending !== undefined
  }

  begin(argument: string, hostname: string): string {
    if (this.#done) return replies.authenticatedAlready
    const [mechanism = '', initial] = argument.split(/ +/)
    const mechanisms = { PLAIN: [EMPTY], LOGIN: [USERNAME, PASSWORD], 'CRAM-MD5': [challenge(hostname)] }
    const challenges = Object.entries(mechanisms).find(([name]) => name === mechanism.toUpperCase())?.[1]
    if (!challenges) return replies.unknownMechanism
    this.#pending = initial === undefined ? challenges : challenges.slice(1)
    return this.#next()
  }

  /** Handles the client's response to a challenge. `*` cancels the exchange. */
  respond(line: string): string {
    if (line !== '*') return this.#next()
    this.cancel()
    return replies.authCanceled
  }

  cancel(): void {
    this.#pending = undefined
  }

  #next(): string {
    const challengeLine = this.#pending?.shift()
    if (challengeLine !== undefined) return challengeLine
    this.#pending = undefined
    this.#done = true
    return replies.authenticated
  }
}
