import { replies } from './replies.ts'

export const MECHANISMS = ['PLAIN', 'LOGIN', 'CRAM-MD5']

/** Base64 of `Username:` and `Password:`, as clients of LOGIN know them, and of a challenge (RFC 2195). */
const USERNAME = '334 VXNlcm5hbWU6\r\n'
const PASSWORD = '334 UGFzc3dvcmQ6\r\n'
const EMPTY = '334 \r\n'
const challenge = (hostname: string): string =>
  `334 ${Buffer.from(`<${process.hrtime.bigint()}@${hostname}>`).toString('base64')}\r\n`

/**
 * AUTH (RFC 4954) that takes any name and password, looks at neither and keeps nothing: for programs that insist on it where
 * nobody has to sign in.
 */
export class AnyAuth {
  /** Challenges that are still to be answered; the client's next line is an answer while there are. */
  #asked: string[] | undefined
  #done = false

  get awaitsAnswer(): boolean {
    return this.#asked !== undefined
  }

  begin(argument: string, hostname: string): string {
    if (this.#done) return replies.authenticatedAlready
    const [mechanism = '', initial] = argument.split(/ +/)
    const challenges = { PLAIN: [EMPTY], LOGIN: [USERNAME, PASSWORD], 'CRAM-MD5': [challenge(hostname)] }
    const asked = Object.entries(challenges).find(([name]) => name === mechanism.toUpperCase())?.[1]
    if (!asked) return replies.unknownMechanism
    this.#asked = initial === undefined ? asked : asked.slice(1)
    return this.#next()
  }

  /** The client's line that answers a challenge: `*` gives up. */
  answer(line: string): string {
    if (line !== '*') return this.#next()
    this.cancel()
    return replies.authCancelled
  }

  cancel(): void {
    this.#asked = undefined
  }

  #next(): string {
    const challengeLine = this.#asked?.shift()
    if (challengeLine !== undefined) return challengeLine
    this.#asked = undefined
    this.#done = true
    return replies.authenticated
  }
}
