import { afterAll, vi } from 'vitest'
import { useStandardDecoders } from '#mail/reader/text-decoder.ts'

// Before a test file reads a message, as in the program.
useStandardDecoders()
// Files share a process, so a `fetch` that one of them replaces would be that of the next ones.
afterAll(() => void vi.unstubAllGlobals())
