import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { Role } from '../../../core/access/roles.ts'
import type { WebhookEndpointJson } from '../../../core/webhook/endpoint.ts'
import { ActionButton } from '../forms/ActionButton.tsx'
import { Confirm } from '../forms/Confirm.tsx'
import { Empty } from '../parts/Empty.tsx'
import { type Fact, Facts } from '../parts/Facts.tsx'
import { Moment } from '../parts/Moment.tsx'
import { may } from '../parts/may.ts'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { toastDone } from '../parts/Toasts.tsx'
import { getData, merchantApi, Problem, request } from '../session/request.ts'
import { DeliveryChart } from './DeliveryChart.tsx'
import { DeliveryList } from './DeliveryList.tsx'
import { EndpointForm } from './EndpointForm.tsx'
import { endpointState } from './endpointState.ts'
import { Replay } from './Replay.tsx'
import { RotateSecret } from './RotateSecret.tsx'

const POLL_MS = 3_000

interface EndpointPageProps {
  readonly merchantId: string
  readonly role: Role
  readonly id: string
}

/** One webhook endpoint: what it is, what can be done with it, and what it was sent. */
export function EndpointPage({ merchantId, role, id }: EndpointPageProps) {
  const { words } = usePage()
  const path = merchantApi(merchantId, `/v1/webhooks/endpoints/${encodeURIComponent(id)}`)
  const found = useQuery({
    queryKey: ['webhook-endpoint', merchantId, id],
    queryFn: () => getData<WebhookEndpointJson>(path),
    refetchInterval: POLL_MS,
  })
  if (found.isPending) return <Skeleton rows={8} />
  if (found.isError) {
    const isGone =
      found.error instanceof Problem && (found.error.status === 404 || found.error.status === 400)
    if (!isGone) return <Failed error={found.error} onRetry={() => found.refetch()} />
    return <Empty title={words.say('devEndpointGone')} next={words.say('devEndpointGoneNext')} />
  }
  const mayChange = may(role, 'changeWebhookEndpoint')
  const maySend = mayChange && found.data.active
  const refetch = () => found.refetch()
  return (
    <>
      <p class="back">
        <a href={placePath(merchantId, 'developers', 'webhooks')}>{words.say('devAllEndpoints')}</a>
      </p>
      <About endpoint={found.data} />
      {mayChange && (
        <Actions merchantId={merchantId} path={path} endpoint={found.data} onChanged={refetch} />
      )}
      <DeliveryChart path={path} />
      <DeliveryList merchantId={merchantId} endpointId={id} mayRedeliver={maySend} />
      {mayChange && <RotateSecret path={path} onRotated={refetch} />}
      {maySend && <Replay path={path} />}
      {mayChange && (
        <details class="card">
          <summary>{words.say('devChange')}</summary>
          <EndpointForm
            key={found.data.updatedAt}
            endpoint={found.data}
            action={words.say('save')}
            onSend={async (wish) => {
              await request('PATCH', path, wish)
              await refetch()
              toastDone(words, 'audit_changeWebhookEndpoint', location.pathname)
            }}
          />
        </details>
      )}
    </>
  )
}

function About({ endpoint }: { readonly endpoint: WebhookEndpointJson }) {
  const { words } = usePage()
  const { word, tone } = endpointState(endpoint)
  const { url, description, eventTypes, failingSince, provenAt, previousSecretUntil } = endpoint
  const at = (name: Parameters<typeof words.say>[0], moment: string | null): Fact | false =>
    moment !== null && [words.say(name), <Moment key={name} at={moment} />]
  return (
    <section class="card" aria-labelledby="endpoint">
      <div class="head">
        <h2 id="endpoint" class="long">
          {url}
        </h2>
        <Pill tone={tone} text={words.say(word)} />
      </div>
      {description !== '' && <p class="long">{description}</p>}
      <Facts
        facts={[
          [
            words.say('devEvents'),
            eventTypes === null ? words.say('statusAll') : eventTypes.join(', '),
          ],
          at('devFirstDelivery', provenAt),
          at('devFailingSince', failingSince),
          at('devBothSecrets', previousSecretUntil),
        ]}
      />
    </section>
  )
}

interface ActionsProps {
  readonly merchantId: string
  readonly path: string
  readonly endpoint: WebhookEndpointJson
  readonly onChanged: () => Promise<unknown>
}

function Actions({ merchantId, path, endpoint, onChanged }: ActionsProps) {
  const { words } = usePage()
  const { route } = useLocation()
  const [testId, setTestId] = useState<string | null>(null)

  async function test(): Promise<void> {
    const { data } = await request<{ data: { eventId: string } }>('POST', `${path}/test`)
    setTestId(data.eventId)
  }
  async function remove(): Promise<void> {
    await request('DELETE', path)
    const list = placePath(merchantId, 'developers', 'webhooks')
    route(list)
    toastDone(words, 'audit_deleteWebhookEndpoint', list)
  }
  async function toggle(): Promise<void> {
    await request('PATCH', path, { active: !endpoint.active })
    await onChanged()
    toastDone(words, 'audit_changeWebhookEndpoint', location.pathname)
  }

  return (
    <section class="card" aria-labelledby="actions">
      <h2 id="actions">{words.say('devActions')}</h2>
      <div class="actions">
        {endpoint.active && (
          <ActionButton class="main" label={words.say('sendTestEvent')} onAction={test} />
        )}
        <ActionButton
          label={words.say(endpoint.active ? 'devDisable' : 'devEnable')}
          onAction={toggle}
        />
        <Confirm
          label={words.say('deleteNow')}
          title={words.say('devDeleteTitle', { url: endpoint.url })}
          action={words.say('devDeleteDo')}
          onConfirm={remove}
        >
          <p>{words.say('devDeleteNext')}</p>
        </Confirm>
      </div>
      {!endpoint.active && <p class="hint">{words.say('devDisabledHint')}</p>}
      {testId !== null && (
        <p role="status" class="hint long">
          {words.say('devTestSent', { id: testId })}
        </p>
      )}
    </section>
  )
}
