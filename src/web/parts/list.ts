/* What acts on a list that has messages, in one file; see `dialogs.ts`. */
export { alertTo } from '../hooks/alerts.ts'
export { InboxTools } from '../pages/home/inbox-tools.tsx'
