import { useState } from 'preact/hooks'
import { Empty } from '../parts/Empty.tsx'
import { Hash } from '../parts/Hash.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { Table } from '../parts/Table.tsx'
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
      <Loaded query={figures} rows={6}>
        {({ payers }) =>
          payers.length === 0 ? (
            <Empty title={words.say('x4NoPayerTitle')} next={words.say('x4NoPayerNext')} />
          ) : (
            <Table
              label={words.say('x4Payers')}
              columns={[
                {
                  ...{ name: words.say('x4Payer'), phone: 'start' },
                  cell: ({ payer, networkId }) => (
                    <Hash value={payer} network={networkId} kind="address" />
                  ),
                },
                { name: words.say('payments'), kind: 'figure', cell: ({ settled }) => settled },
                {
                  ...{ name: words.say('amount'), kind: 'figure', phone: 'end' },
                  cell: ({ paid, tokenSymbol }) => words.money(paid, tokenSymbol),
                },
                {
                  ...{ name: words.say('view'), phone: 'below' },
                  cell: ({ payer }) => (
                    <a href={`${placePath(merchantId, 'x402', 'payments')}?payer=${payer}`}>
                      {words.say('x4ViewPayments')}
                    </a>
                  ),
                },
              ]}
              rows={payers}
              keyOf={({ payer, networkId }) => `${payer}${networkId}`}
            />
          )
        }
      </Loaded>
    </>
  )
}
