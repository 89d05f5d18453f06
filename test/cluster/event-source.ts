/** The current URL of the service, and the secret of the address. */
interface EventSourceOptions {
  origin: () => string
  secret: string
}

/**
 * EventSource as in the HTML standard, section 9.2. Node's is experimental and can't send a secret. It reconnects by
 * itself with Last-Event-ID after a lost connection, and never after a refusal.
 */
export class TestEventSource extends EventTarget {
  static readonly CLOSED = 2
  readyState = 0
  readonly #path: string
  readonly #options: EventSourceOptions
  readonly #aborter = new AbortController()
  #lastEventId = ''
  #reconnectionTime = 1000

  constructor(path: string, options: EventSourceOptions) {
    super()
    this.#path = path
    this.#options = options
    void this.#run()
  }

  close(): void {
    this.readyState = TestEventSource.CLOSED
    this.#aborter.abort()
  }

  async #run(): Promise<void> {
    for (;;) {
      const refused = await this.#connect().catch(() => false)
      if (this.readyState === TestEventSource.CLOSED) return
      this.readyState = refused ? TestEventSource.CLOSED : 0
      this.dispatchEvent(new Event('error'))
      if (refused) return
      await new Promise((resolve) => setTimeout(resolve, this.#reconnectionTime))
    }
  }

  /** Resolves when the stream has ended, with true if there was none. */
  async #connect(): Promise<boolean> {
    const { origin, secret } = this.#options
    const response = await fetch(origin() + this.#path, {
      signal: this.#aborter.signal,
      headers: {
        authorization: `Bearer ${secret}`,
        accept: 'text/event-stream',
        ...(this.#lastEventId && { 'last-event-id': this.#lastEventId }),
      },
    })
    if (response.status !== 200 || !response.body) return true
    this.readyState = 1
    this.dispatchEvent(new Event('open'))
    let text = ''
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + chunk).split('\n\n')
      text = blocks.pop() ?? ''
      blocks.forEach((block) => this.#take(block))
    }
    return false
  }

  #take(block: string): void {
    let type = 'message'
    let data: string | undefined
    for (const line of block.split('\n')) {
      const [, field, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
      if (field === 'id') this.#lastEventId = value
      if (field === 'retry') this.#reconnectionTime = Number(value)
      if (field === 'event') type = value
      if (field === 'data') data = value
    }
    if (data === undefined) return
    this.dispatchEvent(new MessageEvent(type, { data, lastEventId: this.#lastEventId }))
  }
}
