// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {HubTest} from "./support/HubTest.sol";

contract RescueTest is HubTest {
    address private forwarder;

    function setUp() public override {
        super.setUp();
        forwarder = hub.forwarderAddress(MERCHANT);
        usdt.mint(forwarder, 50e6);
        usdc.mint(forwarder, 100e6);
    }

    function test_a_wrong_token_leaves_by_signature() public {
        IRemitHub.ForwarderRescue memory item = rescueOf(1, address(usdt), RECIPIENT, 50e6);
        vm.expectEmit(address(hub));
        emit IRemitHub.ForwarderDeployed(MERCHANT, forwarder);
        vm.expectEmit(address(hub));
        emit IRemitHub.Refunded(1, forwarder, address(usdt), RECIPIENT, 50e6);
        vm.prank(STRANGER);
        rescue(item);
        vm.assertEq(usdt.balanceOf(RECIPIENT), 50e6, "receiver");
        vm.assertEq(usdc.balanceOf(forwarder), 100e6, "the right token stays");
    }

    function test_native_coin_leaves_by_signature() public {
        vm.deal(forwarder, 1 ether);
        rescue(rescueOf(1, address(0), RECIPIENT, 1 ether));
        vm.assertEq(RECIPIENT.balance, 1 ether, "receiver");
    }

    function testFuzz_nothing_moves_without_the_refund_key(uint256 key, bool useUsdc) public {
        key = within(key, 1, type(uint128).max);
        vm.assume(key != REFUND_KEY);
        address token = useUsdc ? address(usdc) : address(usdt);
        IRemitHub.ForwarderRescue memory item = rescueOf(1, token, STRANGER, 1e6);
        item.signature = signed(item.refund, key);
        expectRescueRefused(
            item,
            abi.encodeWithSelector(
                IHubErrors.BadSignature.selector, vm.addr(REFUND_KEY)
            )
        );
    }

    function test_rescues_and_refunds_share_their_ids() public {
        rescue(rescueOf(1, address(usdt), RECIPIENT, 1e6));
        address deposit = hub.depositAddress(MERCHANT, INVOICE, address(0), MAX_FEE);
        usdc.mint(deposit, 1e6);
        expectRefundRefused(
            refundOf(1, address(usdc), RECIPIENT, 1e6),
            abi.encodeWithSelector(IHubErrors.RefundSpent.selector, 1)
        );
        expectRescueRefused(
            rescueOf(1, address(usdt), RECIPIENT, 1e6),
            abi.encodeWithSelector(IHubErrors.RefundSpent.selector, 1)
        );
    }

    function test_a_rescue_is_bound_to_its_forwarder() public {
        IRemitHub.ForwarderRescue memory item = rescueOf(1, address(usdt), RECIPIENT, 1e6);
        item.merchantId = OTHER_MERCHANT;
        expectRescueRefused(
            item,
            abi.encodeWithSelector(
                IHubErrors.WrongSource.selector, forwarder, hub.forwarderAddress(OTHER_MERCHANT)
            )
        );
    }

    function test_a_refund_cannot_name_a_forwarder() public {
        IRemitHub.DepositRefund memory item = refundOf(1, address(usdt), RECIPIENT, 1e6);
        address deposit = item.refund.source;
        item.refund.source = forwarder;
        item.signature = signed(item.refund, REFUND_KEY);
        expectRefundRefused(
            item, abi.encodeWithSelector(IHubErrors.WrongSource.selector, forwarder, deposit)
        );
    }

    function test_a_rescue_names_no_fee_that_is_left() public {
        IRemitHub.ForwarderRescue memory item = rescueOf(1, address(usdt), RECIPIENT, 1e6);
        item.refund.feeLeft = 1;
        item.signature = signed(item.refund, REFUND_KEY);
        expectRescueRefused(
            item, abi.encodeWithSelector(IHubErrors.FeeAboveCap.selector, 1, 0)
        );
    }

    function test_a_bad_item_leaves_the_others_alone() public {
        IRemitHub.ForwarderRescue[] memory items = new IRemitHub.ForwarderRescue[](3);
        items[0] = rescueOf(1, address(usdt), RECIPIENT, 1e6);
        items[1] = rescueOf(2, address(usdt), RECIPIENT, 500e6);
        items[2] = rescueOf(3, address(usdt), RECIPIENT, 4e6);
        hub.rescue(items, ITEM_GAS);
        vm.assertEq(usdt.balanceOf(RECIPIENT), 5e6, "two of three");
        vm.assertFalse(hub.isRefundSpent(2), "unspent");
    }

    function test_single_items_are_the_hubs_own_affair() public {
        IRemitHub.ForwarderRescue memory item = rescueOf(1, address(usdt), RECIPIENT, 1e6);
        vm.expectRevert(
            abi.encodeWithSelector(IHubErrors.NotHub.selector, address(this), address(hub))
        );
        hub.rescueItem(item);
    }
}
