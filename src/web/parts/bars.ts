/* The bars at the bottom of every page in one file; see `dialogs.ts`. */
export { Dock } from '../components/dock.tsx'
export { postpone, undo } from '../hooks/deletions.ts'
