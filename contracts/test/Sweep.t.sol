// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {Forwarder} from "../src/Forwarder.sol";
import {TokenTransfer} from "../src/libraries/TokenTransfer.sol";
import {FalseToken, LongReasonToken, ReentrantToken, TaxedToken} from "./doubles/Tokens.sol";
import {HubTest} from "./support/HubTest.sol";

contract SweepTest is HubTest {
    function test_a_sweep_pays_treasury_and_collector() public {
        IRemitHub.Sweep memory item = sweepOf(address(usdc), 100e6, 1e6);
        address deposit = depositOf(item);
        usdc.mint(deposit, 100e6);
        vm.expectEmit(address(hub));
        emit IRemitHub.Swept(deposit, address(usdc), 99e6, 1e6);
        sweep(item);
        vm.assertEq(usdc.balanceOf(TREASURY), 99e6, "treasury");
        vm.assertEq(usdc.balanceOf(COLLECTOR), 1e6, "collector");
        vm.assertEq(usdc.balanceOf(deposit), 0, "deposit");
        vm.assertEq(usdc.balanceOf(address(hub)), 0, "hub");
    }

    function test_an_invoice_with_its_own_recipient_ignores_the_registry() public {
        IRemitHub.Sweep memory item = sweepOf(address(usdc), 100e6, 1e6);
        (item.recipient, item.version) = (RECIPIENT, 0);
        usdc.mint(depositOf(item), 100e6);
        sweep(item);
        vm.assertEq(usdc.balanceOf(RECIPIENT), 99e6, "recipient");
    }

    function test_a_token_without_return_values_is_swept() public {
        IRemitHub.Sweep memory item = sweepOf(address(usdt), 100e6, 1e6);
        usdt.mint(depositOf(item), 100e6);
        sweep(item);
        vm.assertEq(usdt.balanceOf(TREASURY), 99e6, "treasury");
        vm.assertEq(usdt.balanceOf(COLLECTOR), 1e6, "collector");
    }

    function testFuzz_exactly_the_amount_named_leaves(uint128 held, uint128 amount, uint256 fee)
        public
    {
        held = uint128(within(held, 1, type(uint128).max));
        amount = uint128(within(amount, 1, held));
        fee = within(fee, 0, amount < MAX_FEE ? amount : MAX_FEE);
        IRemitHub.Sweep memory item = sweepOf(address(usdc), amount, fee);
        address deposit = depositOf(item);
        usdc.mint(deposit, held);
        sweep(item);
        vm.assertEq(usdc.balanceOf(deposit), held - amount, "what was not named stays");
        vm.assertEq(usdc.balanceOf(TREASURY), amount - fee, "treasury");
        vm.assertEq(usdc.balanceOf(COLLECTOR), fee, "collector");
    }

    function testFuzz_a_deposit_that_holds_less_is_refused(uint128 held, uint128 missing) public {
        held = uint128(within(held, 0, 1e18));
        missing = uint128(within(missing, 1, 1e18));
        IRemitHub.Sweep memory item = sweepOf(address(usdc), uint256(held) + missing, 0);
        usdc.mint(depositOf(item), uint256(held) + 1);
        vm.prank(depositOf(item));
        usdc.transfer(STRANGER, 1);
        expectSweepRefused(
            item,
            abi.encodeWithSelector(
                IHubErrors.DepositHoldsLess.selector, held, uint256(held) + missing
            )
        );
    }

    function test_a_deposit_that_lacks_only_the_fee_is_refused() public {
        IRemitHub.Sweep memory item = sweepOf(address(usdc), 100e6, 1e6);
        usdc.mint(depositOf(item), 99e6);
        expectSweepRefused(
            item, abi.encodeWithSelector(IHubErrors.DepositHoldsLess.selector, 99e6, 100e6)
        );
        vm.assertEq(usdc.balanceOf(TREASURY), 0, "the treasury's leg is undone");
    }

    function test_a_token_that_burns_all_gas_for_lack_of_balance_is_understood() public {
        IRemitHub.Sweep memory item = sweepOf(address(usdt), 100e6, 1e6);
        usdt.mint(depositOf(item), 99e6 - 1);
        expectSweepRefused(
            item, abi.encodeWithSelector(IHubErrors.DepositHoldsLess.selector, 99e6 - 1, 100e6)
        );
        usdt.mint(depositOf(item), 1);
        expectSweepRefused(
            item, abi.encodeWithSelector(IHubErrors.DepositHoldsLess.selector, 99e6, 100e6)
        );
    }

    function test_nothing_is_no_amount() public {
        expectSweepRefused(
            sweepOf(address(usdc), 0, 0), abi.encodeWithSelector(IHubErrors.AmountIsZero.selector)
        );
    }

    function test_only_operators_sweep() public {
        usdc.mint(depositOf(sweepOf(address(usdc), 1e6, 0)), 1e6);
        vm.expectRevert(abi.encodeWithSelector(IHubErrors.NotOperator.selector, STRANGER));
        vm.prank(STRANGER);
        hub.sweep(batch(sweepOf(address(usdc), 1e6, 0)), plenty());
    }

    function test_single_items_are_the_hubs_own_affair() public {
        vm.expectRevert(
            abi.encodeWithSelector(IHubErrors.NotHub.selector, RELAYER, address(hub))
        );
        vm.prank(RELAYER);
        hub.sweepItem(sweepOf(address(usdc), 1e6, 0), 100_000, 60_000);
    }

    function testFuzz_the_registry_version_must_be_the_one_named(uint32 version) public {
        vm.assume(version != 1);
        IRemitHub.Sweep memory item = sweepOf(address(usdc), 1e6, 0);
        item.version = version;
        usdc.mint(depositOf(item), 1e6);
        expectSweepRefused(
            item, abi.encodeWithSelector(IHubErrors.RegistryVersionMismatch.selector, version, 1)
        );
    }

    function test_a_merchant_without_an_entry_is_not_paid() public {
        IRemitHub.Sweep memory item = sweepOf(address(usdc), 1e6, 0);
        (item.merchantId, item.version) = (OTHER_MERCHANT, 0);
        usdc.mint(depositOf(item), 1e6);
        expectSweepRefused(
            item,
            abi.encodeWithSelector(IHubErrors.MerchantNotConfigured.selector, OTHER_MERCHANT)
        );
    }

    function test_the_hub_is_no_recipient() public {
        IRemitHub.Sweep memory item = sweepOf(address(usdc), 1e6, 0);
        item.recipient = address(hub);
        usdc.mint(depositOf(item), 1e6);
        expectSweepRefused(
            item, abi.encodeWithSelector(IHubErrors.HubAsReceiver.selector, address(hub))
        );
    }

    function testFuzz_other_terms_lead_to_another_address(address recipient, uint256 maxFee)
        public
    {
        vm.assume(recipient != address(0) || maxFee != MAX_FEE);
        IRemitHub.Sweep memory honest = sweepOf(address(usdc), 1e6, 0);
        usdc.mint(depositOf(honest), 1e6);
        IRemitHub.Sweep memory forged = sweepOf(address(usdc), 1e6, 0);
        (forged.recipient, forged.maxFee) = (recipient, maxFee);
        sweep(forged);
        vm.assertEq(usdc.balanceOf(depositOf(honest)), 1e6, "the money stays");
    }

    function test_a_blacklisted_treasury_is_freed_by_the_next_version() public {
        usdc.blacklist(TREASURY);
        IRemitHub.Sweep memory item = sweepOf(address(usdc), 100e6, 1e6);
        usdc.mint(depositOf(item), 100e6);
        expectSweepRefused(item, words("Blacklistable: account is blacklisted"));
        configure(MERCHANT, RECIPIENT, 2);
        item.version = 2;
        sweep(item);
        vm.assertEq(usdc.balanceOf(RECIPIENT), 99e6, "recipient");
        vm.assertEq(usdc.balanceOf(COLLECTOR), 1e6, "the fee is still the first");
    }

    function test_a_paused_token_is_refused_with_its_own_words() public {
        IRemitHub.Sweep memory item = sweepOf(address(usdc), 1e6, 0);
        usdc.mint(depositOf(item), 1e6);
        usdc.pause();
        expectSweepRefused(item, words("Pausable: paused"));
    }

    function test_an_address_without_code_is_no_token() public {
        list(STRANGER);
        expectSweepRefused(
            sweepOf(STRANGER, 1e6, 0),
            abi.encodeWithSelector(IHubErrors.DepositHoldsLess.selector, 0, 1e6)
        );
    }

    function test_a_token_that_answers_false_is_refused() public {
        FalseToken token = new FalseToken();
        list(address(token));
        IRemitHub.Sweep memory item = sweepOf(address(token), 1e6, 0);
        token.mint(depositOf(item), 1e6);
        expectSweepRefused(
            item,
            abi.encodeWithSelector(
                TokenTransfer.TransferRefused.selector, address(token), TREASURY, 1e6
            )
        );
    }

    function test_a_long_reason_is_clipped() public {
        LongReasonToken token = new LongReasonToken();
        list(address(token));
        IRemitHub.Sweep memory item = sweepOf(address(token), 1e6, 0);
        token.mint(depositOf(item), 1e6);
        bytes memory clipped = new bytes(132);
        (clipped[0], clipped[1], clipped[2], clipped[3]) = (0x08, 0xc3, 0x79, 0xa0);
        expectSweepRefused(item, clipped);
    }

    function test_a_taxed_token_takes_nothing_from_others() public {
        TaxedToken token = new TaxedToken();
        list(address(token));
        IRemitHub.Sweep memory item = sweepOf(address(token), 100e6, 1e6);
        token.mint(depositOf(item), 100e6);
        sweep(item);
        vm.assertEq(token.balanceOf(depositOf(item)), 0, "exactly the amount left");
        vm.assertEq(token.balanceOf(TREASURY), 99e6 - 99e4, "less the tax");
    }

    function test_a_bad_item_leaves_the_others_alone() public {
        IRemitHub.Sweep[] memory items = new IRemitHub.Sweep[](3);
        for (uint256 i; i < 3; ++i) {
            items[i] = sweepOf(address(usdc), 10e6, 1e6);
            items[i].invoiceId = bytes16(uint128(0x100 + i));
            usdc.mint(depositOf(items[i]), i == 1 ? 9e6 : 10e6);
        }
        sweepAll(items);
        vm.assertEq(usdc.balanceOf(TREASURY), 18e6, "two were paid");
        vm.assertEq(usdc.balanceOf(depositOf(items[1])), 9e6, "the bad one is untouched");
        vm.assertEq(depositOf(items[1]).code.length, 0, "and not deployed");
    }

    function test_a_sweep_twice_in_a_batch_pays_once() public {
        IRemitHub.Sweep[] memory items = new IRemitHub.Sweep[](2);
        items[0] = sweepOf(address(usdc), 10e6, 1e6);
        items[1] = items[0];
        usdc.mint(depositOf(items[0]), 10e6);
        sweepAll(items);
        vm.assertEq(usdc.balanceOf(TREASURY), 9e6, "treasury");
        vm.assertEq(usdc.balanceOf(COLLECTOR), 1e6, "collector");
    }

    function test_starving_an_item_reverts_the_batch() public {
        IRemitHub.Sweep memory item = sweepOf(address(usdc), 1e6, 0);
        usdc.mint(depositOf(item), 1e6);
        bytes memory call = abi.encodeCall(hub.sweep, (batch(item), plenty()));
        uint256 gasLimit = ITEM_GAS;
        vm.prank(RELAYER);
        (bool ok, bytes memory reason) = address(hub).call{gas: gasLimit}(call);
        vm.assertFalse(ok, "too little gas");
        vm.assertEq(bytes32(bytes4(reason)), IHubErrors.ItemGasTooLow.selector, "and reported");
    }

    /// @dev With any supply of gas the batch reverts or the item is paid; the item never fails.
    function testFuzz_no_supply_of_gas_makes_a_good_sweep_fail(uint256 gasLimit) public {
        gasLimit = within(gasLimit, 40_000, 600_000);
        IRemitHub.Sweep memory item = sweepOf(address(usdc), 2e6, 1e6);
        usdc.mint(depositOf(item), 2e6);
        bytes memory call = abi.encodeCall(hub.sweep, (batch(item), plenty()));
        vm.prank(RELAYER);
        (bool ok,) = address(hub).call{gas: gasLimit}(call);
        vm.assertEq(usdc.balanceOf(TREASURY), ok ? 1e6 : 0, "treasury");
        vm.assertEq(usdc.balanceOf(COLLECTOR), ok ? 1e6 : 0, "collector");
    }

    function test_a_token_that_calls_back_gains_nothing() public {
        ReentrantToken token = new ReentrantToken();
        list(address(token));
        IRemitHub.Sweep memory item = sweepOf(address(token), 10e6, 1e6);
        IRemitHub.Sweep memory other = sweepOf(address(usdc), 10e6, 1e6);
        token.mint(depositOf(item), 10e6);
        usdc.mint(depositOf(other), 10e6);
        token.reenter(address(hub), abi.encodeCall(hub.sweep, (batch(other), plenty())));
        sweep(item);
        vm.assertFalse(token.reentered(), "a token is no operator");
        vm.assertEq(usdc.balanceOf(depositOf(other)), 10e6, "the other token stays");
        token.reenter(
            depositOf(item),
            abi.encodeCall(Forwarder.pay, (address(usdc), STRANGER, 10e6, address(0), 0, 0, 0))
        );
        token.mint(depositOf(item), 1e6);
        item.amount = 1e6;
        item.fee = 0;
        sweep(item);
        vm.assertFalse(token.reentered(), "a token is not the hub");
        vm.assertEq(usdc.balanceOf(STRANGER), 0, "nothing was taken");
    }
}
