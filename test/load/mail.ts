/** A unique message: `raw` as it should arrive, `wire` as SMTP transfers it (dot-stuffed, ends with CRLF). */
export interface LoadMail {
  id: string
  raw: Buffer
  wire: Buffer
}

/**
 * Every message of the load starts with this header field, so that fields that a server adds before it can be removed.
 */
const ID_HEADER = 'X-Load-Id: '

export const LOAD_SENDER = 'news@shop.example'

const ID_LENGTH = 20
const PLACEHOLDER = '~'.repeat(ID_LENGTH)
const WORDS =
  'the of your order parcel account summer light paper garden window river morning letter ticket coffee station music ' +
  'please confirm within hours because we have something new for you to read before it closes again at noon today'

/** The same words each time, so that messages of one size differ only in their id. */
function prose(length: number, seed: number): string {
  const words = WORDS.split(' ')
  let state = seed
  let line = ''
  let text = ''
  while (text.length + line.length < length) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    line += `${words[(state >>> 16) % words.length] ?? ''} `
    if (line.length < 66) continue
    text += `${line.trim()}\r\n`
    line = ''
  }
  return text + line.trim()
}

function template(size: number, dots: boolean): string {
  const head = [
    `${ID_HEADER}${PLACEHOLDER}`,
    `From: "The Shop" <${LOAD_SENDER}>`,
    'To: You <you@mail.example>',
    'Subject: Your verification code',
    'Date: Fri, 02 Jan 2026 10:00:00 +0000',
    `Message-ID: <${PLACEHOLDER}@shop.example>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="=_part"',
    '',
    '--=_part',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 7bit',
    '',
    'Your verification code is 481920.',
    `${dots ? '.' : ''}it is good for an hour`,
    '',
  ].join('\r\n')
  const middle = [
    '',
    '--=_part',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '<!doctype html><html><body style=3D"margin:0;font-family:sans-serif">',
    `<p>Your verification code is <b>481920</b>. <!-- ${PLACEHOLDER} --></p>`,
    '',
  ].join('\r\n')
  const tail = '\r\n</body></html>\r\n--=_part--\r\n'
  const room = Math.max(0, size - head.length - middle.length - tail.length)
  const text = prose(room * 0.3, 1)
  const html = prose(room * 0.6, 2).replaceAll(/^(.{40})/gm, '<p style=3D"x">\r\n$1')
  return head + text + middle + html.slice(0, room - text.length) + tail
}

function filler(text: string): (id: string) => Buffer {
  const bytes = Buffer.from(text, 'latin1')
  const places: number[] = []
  for (let at = bytes.indexOf(PLACEHOLDER); at !== -1; at = bytes.indexOf(PLACEHOLDER, at + ID_LENGTH)) places.push(at)
  return (id) => {
    const copy = Buffer.from(bytes)
    for (const at of places) copy.write(id, at, 'latin1')
    return copy
  }
}

/**
 * Creates multipart/alternative messages (text and HTML, with a code) of about `size` bytes. `run` distinguishes the
 * ids of several factories: up to 12 characters of `a-z 0-9`. With `dots`, a line starts with a dot, which SMTP must
 * stuff.
 */
export function loadMails(size: number, run: string, { dots = false } = {}): () => LoadMail {
  const text = template(size, dots)
  const raw = filler(text)
  const wire = filler(text.replaceAll(/^\./gm, '..'))
  let count = 0
  return () => {
    const id = run.padEnd(12, '-') + String(count++).padStart(ID_LENGTH - 12, '0')
    return { id, raw: raw(id), wire: wire(id) }
  }
}

/** Finds a message of the load in the bytes that a server stores: its id and its original bytes. */
export function findLoadMail(received: Buffer): { id: string; raw: Buffer } | undefined {
  const at = received.indexOf(ID_HEADER)
  if (at === -1) return undefined
  const begin = at + ID_HEADER.length
  return { id: received.toString('latin1', begin, begin + ID_LENGTH), raw: received.subarray(at) }
}
