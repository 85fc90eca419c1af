import { Fragment } from 'preact'

/**
 * An address or hash in groups of four, so that its ends can be compared by eye. The gaps are drawn and not
 * written: what is selected and copied is the address itself.
 */
export function Grouped({ text }: { readonly text: string }) {
  const groups = ['0x', ...(text.slice(2).match(/.{1,4}/g) ?? [])]
  return (
    <bdi class="grouped" dir="ltr" translate={false}>
      {groups.map((group, index) => (
        <Fragment key={index}>
          <span>{group}</span>
          <wbr />
        </Fragment>
      ))}
    </bdi>
  )
}
