import { hydrate } from 'preact'
import { Checkout } from './Checkout.tsx'
import { notifyParent } from './session/parentWindow.ts'
import type { CheckoutProps } from './session/props.ts'

/** Brings the page that the server has written to life, from the state that came with it. */
const root = document.getElementById('checkout')
const state = document.getElementById('session')?.textContent
if (root && state) {
  const props: CheckoutProps = JSON.parse(state)
  hydrate(<Checkout {...props} isAlive />, root)
  notifyParent('alive')
}
