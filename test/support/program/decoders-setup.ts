import { useStandardDecoders } from '#mail/reader/text-decoder.ts'

// Before a test file reads a message, as in the program.
useStandardDecoders()
