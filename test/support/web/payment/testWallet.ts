import type { Frame, Page } from 'playwright-core'
import { decodeFunctionData, erc20Abi, formatUnits } from 'viem'
import { hex } from '../../x402/payer.ts'
import { installWallet } from '../wallet.ts'
import type { Stage } from './stage.ts'

/** Puts a wallet into the page that is on Sepolia, and sends what it is asked to on Base Sepolia. */
export async function bringWallet(page: Page, stage: Stage): Promise<void> {
  const { chains } = stage.stack.description
  await installWallet(
    page,
    { chainId: 11_155_111, knows: [11_155_111, 84_532] },
    async (chainId, { to, data }) => {
      const token = chains.find((chain) => chain.chainId === chainId)?.tokens.USDC
      if (chainId !== 84_532 || to.toLowerCase() !== token?.address.toLowerCase()) {
        throw new Error(`the wallet was to call ${to} on ${chainId}`)
      }
      const call = decodeFunctionData({ abi: erc20Abi, data: hex(data) })
      if (call.functionName !== 'transfer')
        throw new Error(`the wallet was to ${call.functionName}`)
      const [receiver, amount] = call.args
      return stage.payer.send(receiver, formatUnits(amount, token.decimals))
    },
  )
}

/** Presses the button of the wallet, which can't sign, and again once the page offers a transfer instead. */
export async function payByTransfer(
  page: Page | Frame,
  press = () => page.getByRole('button', { name: 'Pay with Test Wallet' }).click(),
): Promise<void> {
  await press()
  await page.getByText('Nothing was sent. You can send a transfer instead.').first().waitFor()
  await press()
}
