// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {BurningWallet, KeyWallet} from "./doubles/Wallets.sol";
import {HubTest} from "./support/HubTest.sol";

contract SettleTest is HubTest {
    address private payer;
    address private forwarder;

    function setUp() public override {
        super.setUp();
        payer = vm.addr(PAYER_KEY);
        forwarder = hub.forwarderAddress(MERCHANT);
        usdc.mint(payer, 1_000e6);
    }

    function expectRefused(IRemitHub.Authorization memory item, bytes memory reason) private {
        uint256 held = usdc.balanceOf(item.from);
        vm.expectEmit(address(hub));
        emit IRemitHub.AuthorizationFailed(address(usdc), item.from, item.nonce, reason);
        settle(item);
        vm.assertEq(usdc.balanceOf(item.from), held, "nothing moved");
    }

    function test_anyone_may_carry_an_authorization() public {
        settle(authorization(MERCHANT, 10e6, "n1"));
        vm.assertEq(usdc.balanceOf(forwarder), 10e6, "forwarder");
        vm.assertTrue(usdc.authorizationState(payer, "n1"), "used");
        vm.assertEq(forwarder.code.length, 0, "a payment needs no deployed forwarder");
    }

    function test_success_adds_no_event_to_the_tokens_own() public {
        IRemitHub.Authorization memory item = authorization(MERCHANT, 10e6, "n1");
        vm.recordLogs();
        settle(item);
        vm.assertEq(vm.getRecordedLogs().length, 2, "AuthorizationUsed and Transfer");
    }

    function test_settlement_and_distribution_in_one_transaction() public {
        settleAndDistribute(
            batch(authorization(MERCHANT, 100e6 + 1, "n1")),
            distributionOf(MERCHANT, 1)
        );
        vm.assertEq(usdc.balanceOf(TREASURY), 99e6, "treasury");
        vm.assertEq(usdc.balanceOf(COLLECTOR), 1e6, "collector");
    }

    function test_a_failing_distribution_leaves_the_settlement_alone() public {
        settleAndDistribute(
            batch(authorization(MERCHANT, 100e6, "n1")),
            distributionOf(MERCHANT, 9)
        );
        vm.assertEq(usdc.balanceOf(forwarder), 100e6, "settled, not distributed");
    }

    function test_each_item_reaches_its_own_merchant() public {
        IRemitHub.Authorization[] memory items = new IRemitHub.Authorization[](4);
        items[0] = authorization(MERCHANT, 1e6, "n0");
        items[1] = authorization(OTHER_MERCHANT, 2e6, "n1");
        items[2] = authorization(MERCHANT, 4e6, "n2");
        items[3] = authorization(bytes16(0), 8e6, "n3");
        settleAll(items);
        vm.assertEq(usdc.balanceOf(forwarder), 5e6, "first merchant");
        vm.assertEq(usdc.balanceOf(hub.forwarderAddress(OTHER_MERCHANT)), 2e6, "second");
        vm.assertEq(usdc.balanceOf(hub.forwarderAddress(bytes16(0))), 8e6, "third");
    }

    function test_a_replay_is_refused() public {
        IRemitHub.Authorization memory item = authorization(MERCHANT, 10e6, "n1");
        settle(item);
        expectRefused(item, words("FiatTokenV2: authorization is used or canceled"));
        vm.assertEq(usdc.balanceOf(forwarder), 10e6, "paid once");
    }

    function test_another_merchant_cannot_be_put_in() public {
        IRemitHub.Authorization memory item = authorization(MERCHANT, 10e6, "n1");
        item.to = hub.forwarderAddress(OTHER_MERCHANT);
        expectRefused(item, words("FiatTokenV2: invalid signature"));
    }

    function testFuzz_no_field_can_be_changed(uint256 value, uint256 after_, uint256 before)
        public
    {
        IRemitHub.Authorization memory item = authorization(MERCHANT, 10e6, "n1");
        vm.assume(
            value != item.value || after_ != item.validAfter || before != item.validBefore
        );
        (item.value, item.validAfter, item.validBefore) = (value, after_, before);
        settle(item);
        vm.assertEq(usdc.balanceOf(forwarder), 0, "nothing moved");
    }

    function test_the_payers_times_count() public {
        IRemitHub.Authorization memory item = authorization(MERCHANT, 10e6, "n1");
        vm.warp(item.validBefore);
        expectRefused(item, words("FiatTokenV2: authorization is expired"));
    }

    function test_a_payer_without_money_is_refused() public {
        expectRefused(
            authorization(MERCHANT, 1_001e6, "n1"),
            words("ERC20: transfer amount exceeds balance")
        );
    }

    function test_a_bad_item_leaves_the_others_alone() public {
        IRemitHub.Authorization[] memory items = new IRemitHub.Authorization[](3);
        items[0] = authorization(MERCHANT, 1e6, "n0");
        items[1] = authorization(MERCHANT, 2e6, "n0");
        items[2] = authorization(MERCHANT, 4e6, "n2");
        settleAll(items);
        vm.assertEq(usdc.balanceOf(forwarder), 5e6, "two of three");
    }

    function test_a_payer_with_code_cannot_burn_the_batchs_gas() public {
        IRemitHub.Authorization[] memory items = new IRemitHub.Authorization[](2);
        items[0] = authorization(MERCHANT, 1e6, "n0");
        items[0].from = address(new BurningWallet());
        items[1] = authorization(MERCHANT, 2e6, "n1");
        uint256 before = gasleft();
        settleAll(items);
        vm.assertLt(before - gasleft(), 120_000, "gas used");
        vm.assertEq(usdc.balanceOf(forwarder), 2e6, "the other was settled");
    }

    /// @dev EIP-7702: an account with a delegate has code, and is settled as a wallet, even if its
    ///      delegate would agree.
    function test_a_payer_with_code_is_refused_without_a_call() public {
        IRemitHub.Authorization memory item = authorization(MERCHANT, 1e6, "n1");
        vm.etch(payer, address(new KeyWallet(payer)).code);
        bytes memory reason = abi.encodeWithSelector(IHubErrors.PayerHasCode.selector, payer);
        expectRefused(item, reason);
        vm.etch(payer, abi.encodePacked(hex"ef0100", address(usdt)));
        expectRefused(item, reason);
        vm.etch(payer, "");
        settle(item);
        vm.assertEq(usdc.balanceOf(forwarder), 1e6, "forwarder");
    }

    /// @dev The payer signed the payee: the hub does not decide it.
    function test_a_payment_to_a_merchants_own_address_is_settled() public {
        settle(authorization(PAYER_KEY, RECIPIENT, 10e6, "n1"));
        vm.assertEq(usdc.balanceOf(RECIPIENT), 10e6, "recipient");
    }

    function test_a_strangers_distribution_fails_and_the_settlement_remains() public {
        vm.expectEmit(address(hub));
        emit IRemitHub.DistributeFailed(
            MERCHANT,
            address(usdc),
            abi.encodeWithSelector(IHubErrors.NotTreasury.selector, STRANGER, TREASURY)
        );
        IRemitHub.Authorization[] memory items = batch(authorization(MERCHANT, 10e6, "n1"));
        vm.prank(STRANGER);
        hub.settle(
            address(usdc), items, AUTHORIZATION_GAS, distributionOf(MERCHANT, 1), plenty()
        );
        vm.assertEq(usdc.balanceOf(forwarder), 10e6, "settled");
    }

    function test_an_address_without_code_is_no_token() public {
        IRemitHub.Authorization[] memory items = batch(authorization(MERCHANT, 1e6, "n1"));
        vm.expectRevert(abi.encodeWithSelector(IHubErrors.NotAToken.selector, STRANGER));
        hub.settle(STRANGER, items, AUTHORIZATION_GAS, noDistributions(), plenty());
    }

    function testFuzz_no_supply_of_gas_makes_a_good_item_fail(uint256 gasLimit) public {
        gasLimit = within(gasLimit, 30_000, 300_000);
        bytes memory call = abi.encodeCall(
            hub.settle,
            (address(usdc), batch(authorization(MERCHANT, 1e6, "n1")), AUTHORIZATION_GAS, noDistributions(), plenty())
        );
        (bool ok,) = address(hub).call{gas: gasLimit}(call);
        vm.assertEq(usdc.balanceOf(forwarder), ok ? 1e6 : 0, "reverted or settled");
    }
}
