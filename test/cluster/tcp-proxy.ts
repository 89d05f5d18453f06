import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** Forwards bytes between two programs until it is told to simulate a broken network. */
export class TcpProxy {
  readonly #sockets = new Set<Socket>()
  readonly #server: Server
  readonly #target: { host: string; port: number }
  #state: 'whole' | 'cut' | 'stalled' = 'whole'

  private constructor(target: { host: string; port: number }) {
    this.#target = target
    this.#server = createServer({ noDelay: true }, (socket) => this.#forward(socket))
  }

  static async start(target: { host: string; port: number }): Promise<TcpProxy> {
    const proxy = new TcpProxy(target)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Resets all connections, including new ones. */
  cut(): void {
    this.#state = 'cut'
    for (const socket of this.#sockets) socket.resetAndDestroy()
  }

  /** Forwards nothing from now on, not even on new connections, without closing them. Bytes arrive when it is healed. */
  stall(): void {
    this.#state = 'stalled'
    for (const socket of this.#sockets) socket.pause()
  }

  heal(): void {
    this.#state = 'whole'
    for (const socket of this.#sockets) socket.resume()
  }

  async close(): Promise<void> {
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #forward(near: Socket): void {
    if (this.#state === 'cut') return void near.on('error', () => {}).resetAndDestroy()
    const far = connect({ ...this.#target, noDelay: true })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from)
      from.on('data', (chunk) => to.write(chunk))
      from.on('error', () => to.resetAndDestroy())
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroySoon()
      })
      if (this.#state === 'stalled') from.pause()
    }
  }
}
