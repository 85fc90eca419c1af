import { useState } from 'preact/hooks'
import { Hash } from '../parts/Hash.tsx'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { Empty, Failed, Skeleton } from '../parts/States.tsx'
import { useFigures } from './figures.ts'
import { Span } from './Span.tsx'

/** Who paid most. */
export function PayersPage({ merchantId }: { readonly merchantId: string }) {
  const { words } = usePage()
  const [days, setDays] = useState(30)
  const figures = useFigures(merchantId, days)
  return (
    <>
      <div class="head">
        <h2>{words.say('x4Payers')}</h2>
        <Span days={days} onChange={setDays} />
      </div>
      {figures.isPending && <Skeleton rows={6} />}
      {figures.isError && <Failed error={figures.error} onRetry={() => figures.refetch()} />}
      {figures.data?.payers.length === 0 && (
        <Empty title={words.say('x4NoPayerTitle')} next={words.say('x4NoPayerNext')} />
      )}
      {figures.data && figures.data.payers.length > 0 && (
        <table>
          <caption class="hidden">{words.say('x4Payers')}</caption>
          <thead>
            <tr>
              <th scope="col">{words.say('x4Payer')}</th>
              <th scope="col" class="right">
                {words.say('payments')}
              </th>
              <th scope="col" class="right">
                {words.say('amount')}
              </th>
              <th scope="col">{words.say('view')}</th>
            </tr>
          </thead>
          <tbody>
            {figures.data.payers.map(({ payer, networkId, tokenSymbol, settled, paid }) => (
              <tr key={`${payer}${networkId}`}>
                <th scope="row">
                  <Hash value={payer} network={networkId} kind="address" />
                </th>
                <td class="figure right" data-label={words.say('payments')}>
                  {settled}
                </td>
                <td class="figure right" data-label={words.say('amount')}>
                  {words.money(paid, tokenSymbol)}
                </td>
                <td data-label={words.say('view')}>
                  <a href={`${placePath(merchantId, 'x402', 'payments')}?payer=${payer}`}>
                    {words.say('x4ViewPayments')}
                  </a>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
