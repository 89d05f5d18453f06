interface StreamEvent {
  id: number
  rawId: string
  event: string
  data: any
}

/** An event stream, read as it arrives. */
export class EventReader {
  readonly events: StreamEvent[] = []
  comments = 0
  ended = false
  readonly #reader: ReadableStreamDefaultReader<string>

  /** Throws the status of a response that is not a stream. */
  constructor(response: Response) {
    const type = response.headers.get('content-type')
    if (response.status !== 200 || !response.body) throw new Error(String(response.status))
    if (type !== 'text/event-stream; charset=utf-8') throw new Error(String(type))
    this.#reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    void this.#read().catch(() => {})
  }

  async #read(): Promise<void> {
    let text = ''
    for (;;) {
      const { done, value } = await this.#reader.read()
      if (done) break
      const blocks = (text + value).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) this.#take(block)
    }
    this.ended = true
  }

  #take(block: string): void {
    if (block.startsWith(':')) this.comments++
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
    if (field('data'))
      this.events.push({
        id: Number(field('id')),
        rawId: field('id')!,
        event: field('event')!,
        data: JSON.parse(field('data')!),
      })
  }

  of(event: string): any[] {
    return this.events.filter((each) => each.event === event).map(({ data }) => data)
  }

  get lastId(): number {
    return this.events.at(-1)?.id ?? 0
  }

  close(): void {
    void this.#reader.cancel().catch(() => {})
  }
}
