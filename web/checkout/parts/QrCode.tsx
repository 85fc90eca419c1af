import { useMemo } from 'preact/hooks'
import { type DrawnCode, drawCode } from './drawCode.ts'

interface QrCodeProps {
  readonly text: string
  readonly label: string
  /** A rendered code; unused if its text differs. */
  readonly drawn?: DrawnCode | null
}

/** A QR code as one path on white. */
export function QrCode({ text, label, drawn = null }: QrCodeProps) {
  const { size, dark } = useMemo(
    () => (drawn?.text === text ? drawn : drawCode(text)),
    [text, drawn],
  )
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path class="light" d={`M0 0h${size}v${size}h-${size}z`} />
      <path d={dark} />
    </svg>
  )
}
