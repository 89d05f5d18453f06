import { randomBytes, randomInt } from 'node:crypto'
import { formsOf, Needles } from './needles.ts'

/** None is a hexadecimal digit: what is written in digits, of either kind, holds no code by chance. */
const LETTERS = 'GHJKLMNPQRSTVWXYZ'
const randomCode = (): string =>
  Array.from({ length: 8 }, (_, i) => (i % 2 ? randomInt(10) : LETTERS[randomInt(LETTERS.length)])).join('')

const random = (): string => `q${randomBytes(10).toString('hex')}`

/** Texts that must be read by nobody but the owner of a mail: planted wherever a mail can hold one, then looked for. */
export class Canaries {
  readonly #texts = new Map<string, string>()
  readonly subjects: string[] = []
  readonly codes: string[] = []

  get size(): number {
    return this.#texts.size
  }

  plant(name: string, text: string): string {
    this.#texts.set(name, text)
    return text
  }

  /** A mail of ten canaries; some are not ASCII. */
  mail(i: number, to: string) {
    const plant = (place: string, text = random()): string => this.plant(`${place} ${i}`, text)
    const code = plant('code', randomCode())
    const subject = plant('subject', i % 2 ? random() : `Grüße ${random()} 確認`)
    this.subjects.push(subject)
    this.codes.push(code)
    return {
      to,
      subject,
      from: {
        name: plant('sender name', i % 2 ? random() : `Zoë ${random()}`),
        address: `${plant('sender')}@bank.example`,
      },
      replyTo: `${plant('reply-to')}@bank.example`,
      text: `${plant('text')}\n\nYour verification code is ${code}\n`,
      html: `<p>${plant('html', `é${random()}`)}</p><p>Your verification code is <b>${code}</b></p><a href="https://bank.example/confirm?token=${plant('link')}">Confirm</a>`,
      attachments: [{ filename: `${plant('attachment name')}.txt`, content: plant('attachment') }],
    }
  }

  /** Every form of every canary. */
  needles(): Needles {
    const needles = new Needles()
    for (const [name, text] of this.#texts) for (const form of formsOf(text)) needles.add(name, form)
    return needles
  }
}
