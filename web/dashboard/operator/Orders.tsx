import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { type OrderJson, useWatched } from './api.ts'

/** The operators' orders and their results. */
export function Orders() {
  const { words } = usePage()
  const orders = useWatched<readonly OrderJson[]>('/orders')
  return (
    <section class="card part" aria-labelledby="orders">
      <h2 id="orders">{words.say('opActions')}</h2>
      {orders.isPending && <Skeleton rows={2} />}
      {orders.isError && <Failed error={orders.error} onRetry={() => orders.refetch()} />}
      {orders.data?.length === 0 && <p class="hint">{words.say('opNoAction')}</p>}
      <ul class="lines">
        {orders.data?.map((order) => (
          <li key={order.id}>
            <span class="long">
              <b>{order.kind}</b> {order.networkId} <code>{order.subject}</code>{' '}
              <small class="hint">
                {order.orderedBy} <Moment at={order.createdAt} />
              </small>
              {order.answer !== null && <span> {order.answer}</span>}
            </span>
            <Pill
              tone={order.isDone === null ? 'calm' : order.isDone ? 'good' : 'bad'}
              text={words.say(
                order.isDone === null ? 'waiting' : order.isDone ? 'opDone' : 'refused',
              )}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
