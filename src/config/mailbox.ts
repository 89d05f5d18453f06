import { bytes, days, hours, integer, minutes, seconds, url } from './kinds.ts'
import { limit, setting } from './setting.ts'

/** Receiving may use this part of the memory for messages. The rest is for complete messages that are being processed. */
export const RECEIVING_SHARE = 0.5

/** Addresses and messages: lifetimes, sizes, and limits for parsing. */
export const mailbox = {
  addressLifetime: setting(
    'ADDRESS_LIFETIME_HOURS',
    hours(1, 8760),
    '24',
    'How long an address is kept after the last visit to it',
  ),
  tenMinutesLifetime: limit(
    'TEN_MINUTES_LIFETIME_MINUTES',
    minutes(1, 1440),
    '10',
    'Lifetime of a "10 Minute Mail" address',
  ),
  quarantine: setting(
    'QUARANTINE_DAYS',
    days(1, 3650),
    '30',
    'How long the name of a deleted or expired address stays reserved',
  ),
  storageBytes: setting('ADDRESS_STORAGE_BYTES', bytes(1024), '40MB', 'Bytes of mail that a free address may hold'),
  operatorStorageBytes: limit(
    'OPERATOR_STORAGE_BYTES',
    bytes(1024),
    '1GB',
    'Bytes of mail that the operator mailbox may hold; a fifth each for postmaster@, abuse@, the contact form, the problem form and the forms of subscribers',
  ),
  retention: setting('MESSAGE_RETENTION_HOURS', hours(1, 8760), '24', 'How long a message to a free address is kept'),
  operatorRetention: setting(
    'OPERATOR_RETENTION_DAYS',
    days(1, 3650),
    '90',
    'How long a message in the operator mailbox is kept',
  ),
  maxMessageBytes: setting(
    'MESSAGE_MAX_BYTES',
    bytes(1024, 1024 ** 3),
    '10MB',
    'The largest message to a free address',
  ),
  pageSize: limit('PAGE_MESSAGES', integer(1, 1000), '50', 'Messages on one page of the inbox'),
  memoryBytes: setting(
    'MAIL_MEMORY_BYTES',
    bytes(32 * 1024 * 1024),
    '96MB',
    'Memory for all copies of messages. If it is used up, senders get 452 and retry. Must be at least 2 MB more than twice the largest message. Single large messages may exceed it',
  ),
  parserMemoryBytes: limit(
    'PARSE_MEMORY_BYTES',
    bytes(32 * 1024 * 1024, 16 * 1024 ** 3),
    '256MB',
    'Memory for parsing',
  ),
  parserBacklog: limit(
    'PARSE_BACKLOG_MAX',
    integer(1, 1_000_000),
    '1000',
    'Messages that may wait for the parser; the summary of any further message is made when the inbox is first opened',
  ),
  authenticationTimeout: limit(
    'AUTHENTICATION_SECONDS',
    seconds(1, 60),
    '10',
    'Time for the SPF, DKIM and DMARC checks of one message',
  ),
  rspamdUrl: setting(
    'RSPAMD_URL',
    url,
    undefined,
    'URL of an rspamd worker such as http://localhost:11333, which gets messages that their owners check; unset: checks have no spam score',
  ),
}
