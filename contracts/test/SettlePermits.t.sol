// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {TestPermit2} from "./stand-ins/TestPermit2.sol";
import {TestPermitProxy} from "./stand-ins/TestPermitProxy.sol";
import {TestUptoProxy} from "./stand-ins/TestUptoProxy.sol";
import {BurningWallet, KeyWallet} from "./doubles/Wallets.sol";
import {PermitTest} from "./support/PermitTest.sol";

/// @notice Permit2 payments through the proxies of x402. What holds for both schemes is tried with
///         both.
contract SettlePermitsTest is PermitTest {
    function itemOf(bool isUpto, uint256 amount, uint256 nonce)
        private
        view
        returns (address proxy, IRemitHub.PermitPayment memory item)
    {
        return isUpto ? (UPTO, uptoOf(amount, amount, nonce)) : (EXACT, exactOf(amount, nonce));
    }

    function selector(bytes4 of_) private pure returns (bytes memory) {
        return abi.encodeWithSelector(of_);
    }

    function testFuzz_upto_pays_any_amount_that_was_permitted(uint256 permitted, uint256 amount)
        public
    {
        permitted = within(permitted, 1, 1_000e6);
        amount = within(amount, 1, permitted);
        expectSettled(UPTO, uptoOf(permitted, amount, 7));
        vm.assertEq(usdc.balanceOf(payer), 1_000e6 - amount, "the payer keeps the rest");
    }

    function test_upto_pays_no_more_than_was_permitted() public {
        expectPermitRefused(
            UPTO, uptoOf(10e6, 10e6 + 1, 7), selector(TestUptoProxy.AmountExceedsPermitted.selector)
        );
    }

    function test_upto_pays_only_where_the_hub_is_the_facilitator() public {
        IRemitHub.PermitPayment memory item = paymentOf(10e6, 5e6, 7);
        item.signature = signedFor(UPTO, RELAYER, item);
        expectPermitRefused(UPTO, item, selector(TestPermit2.InvalidSigner.selector));
    }

    function testFuzz_exact_pays_what_was_permitted(uint256 amount) public {
        amount = within(amount, 1, 1_000e6);
        expectSettled(EXACT, exactOf(amount, 7));
    }

    function testFuzz_exact_pays_nothing_else(uint256 amount) public {
        vm.assume(amount != 10e6);
        IRemitHub.PermitPayment memory item = exactOf(10e6, 7);
        item.amount = amount;
        expectPermitRefused(
            EXACT,
            item,
            abi.encodeWithSelector(IHubErrors.AmountNotPermitted.selector, amount, 10e6)
        );
    }

    function test_a_signature_for_one_proxy_is_none_for_the_other() public {
        bytes memory reason = selector(TestPermit2.InvalidSigner.selector);
        expectPermitRefused(EXACT, uptoOf(10e6, 10e6, 7), reason);
        expectPermitRefused(UPTO, exactOf(10e6, 7), reason);
    }

    function testFuzz_only_operators_settle(bool isUpto, address caller) public {
        vm.assume(caller != RELAYER);
        IRemitHub.PermitPayment[] memory items = new IRemitHub.PermitPayment[](1);
        (, items[0]) = itemOf(isUpto, 10e6, 7);
        vm.expectRevert(abi.encodeWithSelector(IHubErrors.NotOperator.selector, caller));
        vm.prank(caller);
        if (isUpto) hub.settleUpto(items, PERMIT_GAS);
        else hub.settleExact(items, PERMIT_GAS);
    }

    function testFuzz_the_payee_is_the_signed_one(bool isUpto, address to) public {
        (address proxy, IRemitHub.PermitPayment memory item) = itemOf(isUpto, 10e6, 7);
        vm.assume(to != forwarder && to != address(0));
        item.to = to;
        expectPermitRefused(proxy, item, selector(TestPermit2.InvalidSigner.selector));
    }

    function testFuzz_a_payment_to_any_address_is_settled(bool isUpto) public {
        IRemitHub.PermitPayment memory item = paymentOf(10e6, 10e6, 7);
        item.to = RECIPIENT;
        address proxy = isUpto ? UPTO : EXACT;
        item.signature = signedFor(proxy, address(hub), item);
        expectSettled(proxy, item);
    }

    function testFuzz_a_replay_is_refused(bool isUpto) public {
        (address proxy, IRemitHub.PermitPayment memory item) = itemOf(isUpto, 10e6, 7);
        settlePermit(proxy, item);
        expectPermitRefused(proxy, item, selector(TestPermit2.InvalidNonce.selector));
        vm.assertEq(usdc.balanceOf(forwarder), 10e6, "paid once");
    }

    function testFuzz_times_and_amounts_are_the_proxys_affair(bool isUpto) public {
        (address proxy, IRemitHub.PermitPayment memory item) = itemOf(isUpto, 10e6, 7);
        uint256 start = block.timestamp;
        vm.warp(item.validAfter - 1);
        expectPermitRefused(proxy, item, selector(TestPermitProxy.PaymentTooEarly.selector));
        vm.warp(item.deadline + 1);
        expectPermitRefused(
            proxy,
            item,
            abi.encodeWithSelector(TestPermit2.SignatureExpired.selector, item.deadline)
        );
        vm.warp(start);
        (proxy, item) = itemOf(isUpto, 0, 8);
        expectPermitRefused(proxy, item, selector(TestPermitProxy.InvalidAmount.selector));
    }

    function testFuzz_a_payer_may_permit_permit2_in_the_same_transaction(bool isUpto) public {
        vm.prank(payer);
        usdc.approve(address(PERMIT2), 0);
        (address proxy, IRemitHub.PermitPayment memory item) = itemOf(isUpto, 10e6, 7);
        item.permit2612 = permit2612(10e6);
        expectSettled(proxy, item);
    }

    function testFuzz_the_permit_is_for_what_was_permitted(bool isUpto) public {
        (address proxy, IRemitHub.PermitPayment memory item) = itemOf(isUpto, 10e6, 7);
        item.permit2612 = permit2612(10e6 + 1);
        expectPermitRefused(proxy, item, selector(TestPermitProxy.Permit2612AmountMismatch.selector));
    }

    /// @dev A third party may have submitted it: with the allowance there, the payment continues.
    function testFuzz_a_permit_that_fails_does_not_matter(bool isUpto) public {
        (address proxy, IRemitHub.PermitPayment memory item) = itemOf(isUpto, 10e6, 7);
        item.permit2612 = permit2612(10e6);
        item.permit2612[70] ^= 0xff;
        expectSettled(proxy, item);
    }

    function testFuzz_a_malformed_permit_costs_its_item(bool isUpto, bytes calldata permit)
        public
    {
        vm.assume(permit.length != 0 && permit.length != 160);
        (address proxy, IRemitHub.PermitPayment memory item) = itemOf(isUpto, 10e6, 7);
        item.permit2612 = permit;
        expectPermitRefused(
            proxy,
            item,
            abi.encodeWithSelector(IHubErrors.PermitMalformed.selector, permit.length)
        );
        // 160 bytes that are no permit: `v` is no uint8. The proxy refuses to read them.
        item.permit2612 = abi.encode(10e6, 2, 3, 4, 256);
        expectPermitRefused(proxy, item, "");
    }

    /// @dev Permit2 takes the silence of an address without code for a payment.
    function testFuzz_an_address_without_code_is_no_token(bool isUpto) public {
        IRemitHub.PermitPayment memory item = paymentOf(10e6, 10e6, 7);
        item.token = STRANGER;
        address proxy = isUpto ? UPTO : EXACT;
        item.signature = signedFor(proxy, address(hub), item);
        expectPermitRefused(
            proxy, item, abi.encodeWithSelector(IHubErrors.NotAToken.selector, STRANGER)
        );
    }

    function testFuzz_without_the_proxy_there_is_no_settlement(bool isUpto) public {
        (address proxy, IRemitHub.PermitPayment memory item) = itemOf(isUpto, 10e6, 7);
        vm.etch(proxy, "");
        vm.expectRevert(abi.encodeWithSelector(IHubErrors.NotDeployed.selector, proxy));
        settlePermit(proxy, item);
    }

    function testFuzz_a_contract_wallet_pays(bool isUpto) public {
        (address proxy, IRemitHub.PermitPayment memory item) = itemOf(isUpto, 10e6, 7);
        vm.etch(payer, address(new KeyWallet(vm.addr(PAYER_KEY))).code);
        expectSettled(proxy, item);
    }

    function testFuzz_a_bad_item_leaves_the_others_alone(bool isUpto) public {
        IRemitHub.PermitPayment[] memory items = new IRemitHub.PermitPayment[](4);
        (, items[0]) = itemOf(isUpto, 1e6, 1);
        (, items[1]) = itemOf(isUpto, 2e6, 1);
        (, items[2]) = itemOf(isUpto, 4e6, 2);
        items[2].from = address(new BurningWallet());
        (, items[3]) = itemOf(isUpto, 8e6, 3);
        uint256 before = gasleft();
        vm.prank(RELAYER);
        if (isUpto) hub.settleUpto(items, PERMIT_GAS);
        else hub.settleExact(items, PERMIT_GAS);
        vm.assertLt(before - gasleft(), PERMIT_GAS + 600_000, "the wallet burnt its own gas");
        vm.assertEq(usdc.balanceOf(forwarder), 9e6, "the good ones are paid");
    }

    function testFuzz_no_stop_holds_what_payers_signed(bool isUpto) public {
        vm.prank(GUARDIAN);
        hub.stop(15);
        (address proxy, IRemitHub.PermitPayment memory item) = itemOf(isUpto, 10e6, 7);
        expectSettled(proxy, item);
    }

    function testFuzz_no_supply_of_gas_makes_a_good_item_fail(bool isUpto, uint256 supply) public {
        supply = within(supply, 60_000, 450_000);
        IRemitHub.PermitPayment[] memory items = new IRemitHub.PermitPayment[](1);
        (, items[0]) = itemOf(isUpto, 10e6, 7);
        bytes memory data = isUpto
            ? abi.encodeCall(hub.settleUpto, (items, PERMIT_GAS))
            : abi.encodeCall(hub.settleExact, (items, PERMIT_GAS));
        vm.prank(RELAYER);
        (bool ok,) = address(hub).call{gas: supply}(data);
        vm.assertEq(usdc.balanceOf(forwarder), ok ? 10e6 : 0, "reverted or settled");
    }
}
