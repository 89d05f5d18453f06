import { connect } from 'node:net'

interface RawAnswer {
  status: number
  /** The header of this name; `''` if there is none. */
  header(name: string): string
  body: string
  /** The raw response. */
  text: string
}

/** Sends bytes that HTTP clients would not send. Resolves with the response when the server closes the connection. */
export function sendRaw(port: number, request: string): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  let text = ''
  socket.on('data', (part) => (text += part))
  socket.write(request)
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', () => {
      const [head = '', ...rest] = text.split('\r\n\r\n')
      resolve({
        status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
        header: (name) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '',
        body: rest.join('\r\n\r\n'),
        text,
      })
    })
  })
}

/** A request with any target. `headers` are whole lines. */
export function rawRequest(method: string, target: string, ...headers: string[]): string {
  return [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n')
}
