import { Dialog } from '../forms/Dialog.tsx'
import { Form } from '../forms/Form.tsx'
import { shortHash } from '../parts/Hash.tsx'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { toastDone } from '../parts/Toasts.tsx'
import { explainAction } from '../recoveries/explain.ts'
import { merchantApi, request } from '../session/request.ts'
import { FullAddress } from './FullAddress.tsx'

interface ReviewProps {
  readonly merchantId: string
  readonly address: string
  readonly delaySeconds: number
  readonly onClose: () => void
  readonly onAsked: () => Promise<unknown>
}

/** Shows an address and the consequences for review; the button repeats the address. */
export function ReviewRecipient({
  merchantId,
  address,
  delaySeconds,
  onClose,
  onAsked,
}: ReviewProps) {
  const { words } = usePage()
  const hours = Math.ceil(delaySeconds / 3_600)

  async function ask(): Promise<void> {
    await request('POST', merchantApi(merchantId, '/v1/settings/recipient'), { address })
    await onAsked()
    toastDone(words, 'audit_changeRecipient', placePath(merchantId, 'settings'))
    onClose()
  }
  return (
    <Dialog title={words.say('recipientReview')} onClose={onClose}>
      <FullAddress address={address} />
      <p>{words.say('recipientReviewHint')}</p>
      <p>
        {hours === 0
          ? words.say('recipientReviewNow')
          : words.say('recipientReviewDelay', { n: hours })}
      </p>
      <Form
        action={words.say('recipientSend', { address: shortHash(address) })}
        onSend={ask}
        explain={(error) => explainAction(words, error)}
      >
        {null}
      </Form>
    </Dialog>
  )
}
