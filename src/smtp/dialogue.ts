import { MayflyError, SmtpRefusal } from '#core/errors.ts'
import { failureOf } from '#core/mailbox/delivery.ts'
import type { DelaySource, FailedAttempt } from '#features/receiving/index.ts'
import { AnyAuth } from './auth.ts'
import { helloName, HTTP_VERBS, type Path, parsePath, splitCommand } from './commands.ts'
import type { DataReader } from './data.ts'
import type { DialogueDeps } from './dialogue-deps.ts'
import { failureReply, isOurFault } from './failure.ts'
import type { LineFault } from './lines.ts'
import { refuseParameters } from './mail-parameters.ts'
import { FIRST_BYTES } from './memory.ts'
import { ehloReply, helpReply, type Offers, offersFor, tlsReply } from './offers.ts'
import { pathReply, replies } from './replies.ts'
import type { Sender } from './sender-limits.ts'
import { addRecipient, beginTransaction, copiesOf, messageReader, type Transaction } from './transaction.ts'

/** What the connection does next: read commands, read the message, perform the TLS handshake, close after the reply. */
type Mode = 'command' | 'data' | 'tls' | 'closed'

type Reply = string | Promise<string>

/** The SMTP protocol of one session (RFC 5321) without sockets: commands and messages in, replies out, in order. */
export class Dialogue {
  mode: Mode = 'command'
  /** Reads the message while `mode` is `data`. */
  reader: DataReader | undefined
  readonly #deps: DialogueDeps
  readonly #sender: Sender
  readonly #offers: Offers
  /** Undefined if AUTH is not offered. */
  #auth: AnyAuth | undefined
  #tls = false
  #helo: string | undefined
  #esmtp = false
  #transaction: Transaction | undefined
  #commands = 0
  #messages = 0
  #errors = 0
  #refusedRecipients = 0
  readonly #ended = new AbortController()
  readonly #source: DelaySource & { from: string }

  readonly #verbs: Record<string, (argument: string) => Reply> = {
    HELO: (argument) => this.#hello(argument, false),
    EHLO: (argument) => this.#hello(argument, true),
    MAIL: (argument) => this.#mail(argument),
    RCPT: (argument) => this.#rcpt(argument),
    DATA: (argument) => this.#data(argument),
    RSET: (argument) => (argument ? replies.noArgument : this.#reset()),
    NOOP: () => replies.ok,
    QUIT: (argument) => (argument ? replies.noArgument : this.#close(replies.bye)),
    HELP: () => helpReply(!this.#tls && this.#offers.startTls, this.#auth !== undefined),
    VRFY: () => replies.cannotVerify,
    EXPN: () => replies.notImplemented,
    STARTTLS: (argument) => this.#startTls(argument),
    AUTH: (argument) => this.#authenticate(argument),
  }

  constructor(clientAddress: string, deps: DialogueDeps) {
    this.#source = { from: clientAddress, signal: this.#ended.signal }
    this.#deps = deps
    this.#sender = deps.senders.of(clientAddress)
    this.#offers = offersFor(clientAddress, deps.options)
    if (this.#offers.auth) this.#auth = new AnyAuth()
  }

  /** Returns the reply to a command line. A promise never rejects, and the next command must wait for it. */
  command(line: string | LineFault): Reply {
    const { maxCommands, maxErrors } = this.#deps.options
    if (++this.#commands > maxCommands) return this.#close(replies.tooManyCommands)
    const reply = typeof line === 'string' ? this.#dispatch(line) : this.#fault(line)
    if (typeof reply !== 'string' || !reply.startsWith('5')) return reply
    // The rest of a pipelined group whose MAIL or RCPT was refused (RFC 2920) is no error. `maxCommands` limits it.
    if (reply === replies.mailFirst || reply === replies.noRecipients) return reply
    return ++this.#errors > maxErrors ? this.#close(replies.tooManyErrors) : reply
  }

  /** Delivers the message that `reader` has read to its end. Returns the reply. Never rejects. */
  async endOfData(): Promise<string> {
    const { reader, transaction } = { reader: this.reader, transaction: this.#transaction }
    this.reader = undefined
    this.#transaction = undefined
    this.mode = 'command'
    if (!reader || !transaction) return replies.mailFirst
    let reply: string = replies.accepted
    let { size } = transaction
    try {
      const result = reader.finish()
      if (typeof result !== 'string') size = result.length - reader.addedBytes
      reply = typeof result === 'string' ? result : await this.#deliver(transaction, result, size)
    } catch (error) {
      reply = this.#failure(error)
    } finally {
      reader.release()
    }
    this.#deps.metrics.count('smtp_messages', { reply: reply.slice(0, 3) || 'none' })
    if (reply !== replies.accepted) this.#fail({ ...transaction, size }, reply)
    return reply
  }

  /** `size`: the bytes of the message without its trace header. Rejects like `Receive.deliver`. */
  async #deliver(transaction: Transaction, message: Buffer, size: number): Promise<string> {
    const { options, receive, metrics } = this.#deps
    const copies = copiesOf(transaction)
    const bytes = size * copies
    if (copies > 1 && bytes > options.maxCopiesBytes) {
      this.#sender.tooLargeForAll(size)
      return replies.tooManyCopies
    }
    if (!this.#sender.store(bytes)) return replies.tooMuchMail
    const start = performance.now()
    const delivered = receive.deliver(this.#envelope(transaction), transaction.recipients, message, this.#ended.signal)
    await delivered.catch((error: unknown) => {
      // Otherwise the transfer of messages that nobody gets, for example because a mailbox is full, would have no limit.
      if (isOurFault(error) && !this.#ended.signal.aborted) this.#sender.unstore(bytes)
      throw error
    })
    metrics.observe('smtp_delivery_seconds', (performance.now() - start) / 1000)
    metrics.observe('smtp_message_bytes', message.length)
    return replies.accepted
  }

  /** Discards everything that the client sent before the TLS handshake (RFC 3207 4.2). */
  tlsStarted(): void {
    this.#tls = true
    this.#helo = undefined
    if (this.#auth) this.#auth = new AnyAuth()
    this.#reset()
    this.mode = 'command'
  }

  /** Ends the dialogue of a closed connection after its last reply. Releases the memory of an unfinished message. */
  abandon(lastReply = ''): void {
    const { reader } = this
    this.reader = undefined
    const ours = reader?.refusal ?? (lastReply === replies.shuttingDown ? lastReply : undefined)
    this.#leave(ours ?? lastReply, ours ? failureOf(ours) : reader ? 'interrupted' : 'unsent')
    this.mode = 'closed'
    // Also gives up a message that still waits for memory: its client will send it again.
    this.#ended.abort(new MayflyError('disk_full'))
    reader?.release()
  }

  #dispatch(line: string): Reply {
    if (this.#auth?.awaitsResponse) return this.#auth.respond(line)
    const { verb, argument } = splitCommand(line)
    // oxlint-disable-next-line no-control-regex -- RFC 5321 4.1.2 allows no control characters in a command; a tab may separate words
    if (/[\x00-\x08\x0a-\x1f\x7f]/.test(line)) return replies.commandSyntax
    if (HTTP_VERBS.has(verb)) return this.#close(replies.notSmtp)
    return Object.hasOwn(this.#verbs, verb) ? (this.#verbs[verb]?.(argument) ?? '') : replies.unknownCommand
  }

  #fault({ fault }: LineFault): string {
    this.#auth?.cancel()
    if (fault === 'bare-lf') return this.#close(replies.bareLf)
    return fault === 'too-long' ? replies.commandTooLong : replies.commandSyntax
  }

  #hello(argument: string, esmtp: boolean): string {
    const name = helloName(argument)
    if (name === undefined) return replies.heloSyntax
    this.#helo = name
    this.#esmtp = esmtp
    this.#reset()
    if (!esmtp) return `250 ${this.#deps.options.hostname}\r\n`
    return ehloReply(this.#deps.options, !this.#tls && this.#offers.startTls, this.#auth !== undefined)
  }

  #mail(argument: string): string {
    const { options } = this.#deps
    if (this.#helo === undefined) return replies.helloFirst
    if (this.#transaction) return replies.nestedMail
    if (this.#messages >= options.maxMessages) return this.#close(replies.tooManyMessages)
    const path = parsePath('FROM', argument)
    if (typeof path === 'string') return pathReply(path, replies.mailSyntax)
    const refusal = refuseParameters(path.parameters, options.maxMessageBytes, this.#auth !== undefined)
    if (refusal) return refusal
    const transaction = beginTransaction(path, this.#sender, options.maxMessageBytes)
    if (!this.#sender.mayGuess()) return replies.tooManyGuesses
    if (!this.#sender.hasRoom(Math.max(transaction.size, 1))) return replies.tooMuchMail
    this.#transaction = transaction
    return replies.senderOk
  }

  #rcpt(argument: string): Reply {
    const transaction = this.#transaction
    if (!transaction) return replies.mailFirst
    const path = parsePath('TO', argument, transaction.utf8)
    if (typeof path === 'string') return pathReply(path, replies.rcptSyntax)
    if (path.parameters.size > 0) return replies.unknownParameter
    if (transaction.recipients.length >= this.#deps.options.maxRecipients) return replies.tooManyRecipients
    return this.#accept(path, transaction)
  }

  async #accept({ mailbox, literal }: Path, transaction: Transaction): Promise<string> {
    try {
      if (literal) throw new MayflyError('relay_denied')
      const attempt = { envelope: this.#envelope(transaction), size: transaction.size || null }
      const shared = transaction.recipients.length > 0 || transaction.hasFault === true
      const accepted = await this.#deps.receive.accept(mailbox, { ...this.#source, shared, attempt })
      const reply = addRecipient(transaction, accepted, this.#deps.options.maxCopiesBytes)
      if (reply === replies.recipientOk) return reply
      this.#fail({ ...transaction, recipients: [accepted] }, reply)
      return this.#refusedRecipient(reply)
    } catch (error) {
      transaction.hasFault ||= error instanceof SmtpRefusal
      const reply = this.#refusedRecipient(this.#failure(error))
      // What an owner chose for tests tells a client nothing about other addresses.
      if (!reply.startsWith('5') || error instanceof SmtpRefusal) return reply
      const tooMany = ++this.#refusedRecipients > this.#deps.options.maxRefusedRecipients
      return tooMany || !this.#sender.refused() ? this.#close(replies.tooManyRefused) : reply
    }
  }

  #refusedRecipient(reply: string): string {
    this.#deps.metrics.count('smtp_refused_recipients', { reply: reply.slice(0, 3) || 'none' })
    return reply
  }

  #data(argument: string): Reply {
    if (argument) return replies.noArgument
    const transaction = this.#transaction
    if (!transaction) return replies.mailFirst
    if (transaction.recipients.length === 0) return replies.noRecipients
    if (!this.#sender.hasRoom(transaction.size * copiesOf(transaction)))
      return this.#fail(transaction, replies.tooMuchMail)
    const delay = this.#deps.receive.delay(transaction.recipients, this.#source)
    if (!delay && this.#deps.share.hasRoomFor(FIRST_BYTES, 0)) return this.#startData(transaction)
    return this.#startLater(transaction, delay).catch((error) => this.#fail(transaction, this.#failure(error)))
  }

  async #startLater(transaction: Transaction, delay: Promise<void> | undefined): Promise<string> {
    await delay
    const patience = { atLeast: this.#deps.options.memoryWait, isOver: () => this.mode === 'closed' }
    // Without memory the reader refuses the message.
    await this.#deps.share.waitFor(FIRST_BYTES, 0, patience)
    return this.#startData(transaction)
  }

  #startData(transaction: Transaction): string {
    // The session may have ended during a delay.
    if (this.mode === 'closed') return ''
    const reader = messageReader(transaction, { ...this.#envelope(transaction), esmtp: this.#esmtp }, this.#deps)
    if (reader.refusal) return this.#fail(transaction, reader.refusal)
    this.#messages++
    this.reader = reader
    this.mode = 'data'
    return replies.startData
  }

  #startTls(argument: string): Reply {
    if (!this.#offers.startTls) return replies.notImplemented
    if (argument) return replies.noArgument
    if (this.#tls) return replies.alreadyTls
    return tlsReply(this.#deps)
  }

  #authenticate(argument: string): string {
    if (!this.#auth) return replies.unknownCommand
    if (!this.#esmtp || this.#helo === undefined) return replies.helloFirst
    return this.#transaction ? replies.nestedMail : this.#auth.begin(argument, this.#deps.options.hostname)
  }

  #envelope({ mailFrom }: Transaction) {
    const receivedAt = this.#deps.clock()
    return { mailFrom, helo: this.#helo ?? '', clientAddress: this.#source.from, tls: this.#tls, receivedAt }
  }

  #reset(): string {
    this.#leave('', 'unsent')
    return replies.ok
  }

  /** Ends the transaction without a message. */
  #leave(reply: string, result: FailedAttempt['result']): void {
    const transaction = this.#transaction
    this.#transaction = undefined
    if (transaction && !transaction.failed) this.#fail(transaction, reply, result)
  }

  /** Records for the recipients that they get no message, and returns `reply`. */
  #fail(transaction: Transaction, reply: string, result = failureOf(reply)): string {
    transaction.failed = true
    const { recipients, size } = transaction
    const envelope = this.#envelope(transaction)
    this.#deps.receive.failed(recipients, { envelope, result, reply: reply.trim() || null, size: size || null })
    return reply
  }

  #close(reply: string): string {
    this.mode = 'closed'
    return reply
  }

  #failure(error: unknown): string {
    const reply = failureReply(error, this.#deps.logger)
    return reply === '' || reply.startsWith('421') ? this.#close(reply) : reply
  }
}
