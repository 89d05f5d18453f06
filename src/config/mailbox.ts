import { bytes, days, hours, integer, minutes, seconds } from './kinds.ts'
import { setting } from './setting.ts'

/** Addresses and messages: lifetimes, sizes, and what reading a message may cost. */
export const mailbox = {
  addressLifetime: setting(
    'ADDRESS_LIFETIME_HOURS',
    hours(1, 8760),
    '24',
    'How long an address lives after the last visit',
  ),
  tenMinutesLifetime: setting(
    'TEN_MINUTES_LIFETIME_MINUTES',
    minutes(1, 1440),
    '10',
    'How long a "10 Minute Mail" address lives',
  ),
  quarantine: setting('QUARANTINE_DAYS', days(0, 3650), '30', 'How long nobody else can take an address that ended'),
  storageBytes: setting('ADDRESS_STORAGE_BYTES', bytes(1024), '40MB', 'Mail that an address may hold'),
  operatorStorageBytes: setting(
    'OPERATOR_STORAGE_BYTES',
    bytes(1024),
    '1GB',
    "Mail that the operator's mailbox may hold; a fifth each for postmaster@, abuse@, both forms and subscribers",
  ),
  retention: setting('MESSAGE_RETENTION_HOURS', hours(1, 8760), '24', 'How long a message is kept'),
  operatorRetention: setting(
    'OPERATOR_RETENTION_DAYS',
    days(1, 3650),
    '90',
    "How long a message in the operator's mailbox is kept",
  ),
  maxMessageBytes: setting('MESSAGE_MAX_BYTES', bytes(1024, 1024 ** 3), '10MB', 'The largest mail to a free address'),
  pageSize: setting('PAGE_MESSAGES', integer(1, 1000), '50', 'Messages on one page of the inbox'),
  memoryBytes: setting(
    'MAIL_MEMORY_BYTES',
    bytes(32 * 1024 * 1024),
    '96MB',
    'Memory for all copies of mail that is received, sealed, opened and forwarded at one time: beyond it senders get 452 and come again',
  ),
  parserMemoryBytes: setting(
    'PARSE_MEMORY_BYTES',
    bytes(32 * 1024 * 1024, 16 * 1024 ** 3),
    '256MB',
    'Memory for parsing',
  ),
  parserBacklog: setting(
    'PARSE_BACKLOG_MAX',
    integer(1, 1_000_000),
    '1000',
    'Mails that wait for the parser; of others the summary is made at the first reading',
  ),
  authenticationTimeout: setting(
    'AUTHENTICATION_SECONDS',
    seconds(1, 60),
    '10',
    'Time for SPF, DKIM and DMARC of one mail',
  ),
}
