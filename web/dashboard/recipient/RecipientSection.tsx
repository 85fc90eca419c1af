import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { pasted } from '../../../core/base/text.ts'
import type { RecipientJson } from '../../../core/merchant/recipientChange.ts'
import { Field } from '../forms/Field.tsx'
import { Form } from '../forms/Form.tsx'
import { may } from '../parts/may.ts'
import { usePage } from '../parts/page.ts'
import type { PlaceProps } from '../parts/places.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { useReloadMerchant } from '../session/me.ts'
import { getData, merchantApi } from '../session/request.ts'
import { FullAddress } from './FullAddress.tsx'
import { PastChanges } from './PastChanges.tsx'
import { ReviewRecipient } from './ReviewRecipient.tsx'
import { WaitingChange } from './WaitingChange.tsx'

type SectionProps = Pick<PlaceProps, 'merchantId' | 'role'>

/** Where the merchant's money goes, the change of it that waits, and those before. */
export function RecipientSection({ merchantId, role }: SectionProps) {
  const { words } = usePage()
  const reload = useReloadMerchant(merchantId)
  const path = merchantApi(merchantId, '/v1/settings/recipient')
  const found = useQuery({
    queryKey: ['recipient', merchantId],
    queryFn: () => getData<RecipientJson>(path),
    // A change becomes active automatically.
    refetchInterval: 5_000,
  })
  return (
    <section class="card narrow" aria-labelledby="recipient">
      <h2 id="recipient">{words.say('payoutAddress')}</h2>
      {found.isPending && <Skeleton rows={3} />}
      {found.isError && <Failed error={found.error} onRetry={() => found.refetch()} />}
      {found.data && (
        <Recipient merchantId={merchantId} role={role} shown={found.data} onChanged={reload} />
      )}
    </section>
  )
}

interface RecipientProps extends SectionProps {
  readonly shown: RecipientJson
  readonly onChanged: () => Promise<unknown>
}

function Recipient({ merchantId, role, shown, onChanged }: RecipientProps) {
  const { words } = usePage()
  const { recipient, changes, delaySeconds } = shown
  const [asked, setAsked] = useState<string | null>(null)
  const open = changes.find(({ endedAt }) => endedAt === null)
  const past = changes.filter(({ endedAt }) => endedAt !== null)
  const isOwner = may(role, 'changeRecipient')
  return (
    <>
      {recipient === null ? (
        <p>{words.say('recipientNone')}</p>
      ) : (
        <FullAddress address={recipient} />
      )}
      {open && (
        <WaitingChange
          merchantId={merchantId}
          role={role}
          change={open}
          recipient={recipient}
          onChanged={onChanged}
        />
      )}
      {!open && isOwner && (
        <Form
          action={words.say('proceed')}
          onSend={async (fields) => setAsked(pasted(String(fields.get('address'))))}
        >
          <Field
            label={words.say('newAddress')}
            name="address"
            hint={words.say('recipientNewHint')}
            autocomplete="off"
            required
          />
        </Form>
      )}
      {!isOwner && <p class="hint">{words.say('recipientReadOnly')}</p>}
      {asked !== null && (
        <ReviewRecipient
          merchantId={merchantId}
          address={asked}
          delaySeconds={delaySeconds}
          onClose={() => setAsked(null)}
          onAsked={onChanged}
        />
      )}
      {past.length > 0 && <PastChanges changes={past} />}
    </>
  )
}
