import type { ReactNode } from 'react'
import { download } from '../../api/download.ts'
import { useText } from '../../i18n/text.tsx'
import { FittedFrame, type Printer } from './fitted-frame.tsx'
import css from './message.module.css'

interface Props {
  id: string
  view: 'html' | 'text'
  /** Whether remote images are loaded through the proxy. */
  images: boolean
  printer: Printer
  strip: ReactNode
}

interface FrameProps {
  path: string
  title: string
  remote: boolean
  printer?: Printer
  strip?: ReactNode
}

/** A sandboxed frame with a document of the server. */
function ServerFrame({ path, title, ...rest }: FrameProps) {
  return (
    <FittedFrame load={async () => (await download(path)).text()} {...rest}>
      {(size) => (
        <iframe
          className={css.frame}
          style={size}
          title={title}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          src={path}
          referrerPolicy="no-referrer"
        />
      )}
    </FittedFrame>
  )
}

/** The sandboxed frame of a message that the server opens. */
export function MessageFrame({ id, view, images, printer, strip }: Props) {
  const path = `/frame/message?id=${id}&view=${view}&images=${images ? 1 : 0}`
  return <ServerFrame path={path} title={useText()('message.frame')} remote={images} printer={printer} strip={strip} />
}

/** The sandboxed frame of an attached image. The server checks by the first bytes that it is one. */
export function ImageFrame({ id, index, name }: { id: string; index: number; name: string }) {
  const path = `/frame/message?id=${id}&image=${index}`
  return <ServerFrame path={path} title={name} remote={false} />
}
