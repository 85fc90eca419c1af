// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../../src/interfaces/IRemitHub.sol";
import {LiveHub} from "./support/LiveHub.sol";

/// @notice The thief of a relayer's or of the refund signer's key wants fees not to be charged. A
///         fee is lost only with the deployment of its deposit; its amount goes to the merchant.
contract FeeWaiverAttack is LiveHub {
    uint256 private constant EACH = 100e6;
    uint256 private constant FEE = 1e6;

    // The relayer's key

    function test_a_relayer_waives_the_fee_of_a_deposit_and_the_merchant_gets_it() public {
        usdc.mint(depositOf(INVOICE), EACH);
        sweepAsItIs(sweepOf(INVOICE, address(usdc), EACH, 0));
        vm.assertEq(usdc.balanceOf(TREASURY), EACH, "the merchant has all of it");
        vm.assertEq(usdc.balanceOf(COLLECTOR), 0, "the fee is lost");
        usdc.mint(depositOf(INVOICE), EACH);
        expectNoFee(INVOICE, EACH, FEE);
        expectNoFee(INVOICE, EACH, 1);
    }

    /// @dev One base unit of the payment is enough; the rest stays, and is swept without a fee.
    function testFuzz_a_relayer_waives_one_fee_for_each_deposit_and_takes_nothing(uint256 some)
        public
    {
        some = within(some, 1, EACH);
        for (uint256 i; i < 5; ++i) {
            usdc.mint(depositOf(invoice(i)), EACH);
            sweepAsItIs(sweepOf(invoice(i), address(usdc), some, 0));
            if (some != EACH) sweep(sweepOf(invoice(i), address(usdc), EACH - some, 0));
        }
        vm.assertEq(usdc.balanceOf(TREASURY), 5 * EACH, "the merchant has all that was paid");
        vm.assertEq(usdc.balanceOf(THIEF), 0, "the thief has nothing");
    }

    function test_a_relayer_can_not_waive_where_nothing_is_held_or_too_little() public {
        sweepAsItIs(sweepOf(INVOICE, address(usdc), 1, 0));
        sweepAsItIs(sweepOf(INVOICE, address(usdc), 0, 0));
        vm.assertEq(depositOf(INVOICE).code.length, 0, "not deployed");
        usdc.mint(depositOf(INVOICE), EACH);
        sweepAsItIs(sweepOf(INVOICE, address(usdc), EACH, FEE));
        vm.assertEq(usdc.balanceOf(COLLECTOR), FEE, "the next invoice's fee is charged");
    }

    /// @dev A recorded fee can be charged until it was charged.
    function test_a_relayer_can_not_waive_what_a_refund_has_left() public {
        usdc.mint(depositOf(INVOICE), EACH);
        refundLeaving(INVOICE, CUSTOMER, 1, FEE);
        sweep(sweepOf(INVOICE, address(usdc), EACH / 2, 0));
        vm.assertEq(hub.feeLeft(depositOf(INVOICE)), FEE, "still left");
        sweep(sweepOf(INVOICE, address(usdc), EACH / 4, FEE));
        vm.assertEq(usdc.balanceOf(COLLECTOR), FEE, "and charged");
    }

    function test_a_relayer_can_not_waive_the_fee_of_a_forwarder() public {
        usdc.mint(hub.forwarderAddress(MERCHANT), 100e6 + 1);
        distribute(RELAYER, address(usdc), MERCHANT, 1);
        vm.assertEq(usdc.balanceOf(COLLECTOR), 1e6, "the registry's rate for every caller");
        vm.assertEq(usdc.balanceOf(TREASURY), 99e6, "and the rest");
    }

    // The refund signer's key

    /// @dev Of every deposit one base unit goes to the thief; its fee goes to the merchant.
    function test_a_refund_key_waives_the_fees_of_many_deposits_for_a_unit_each() public {
        uint256 deposits = 40;
        for (uint256 i; i < deposits; ++i) {
            usdc.mint(depositOf(invoice(i)), EACH);
            refundLeaving(invoice(i), THIEF, 1, 0);
        }
        vm.assertEq(usdc.balanceOf(THIEF), deposits, "a unit of each");
        vm.assertEq(hub.refundRoom(address(usdc)), LIMIT - deposits, "as the limit has booked");
        for (uint256 i; i < deposits; ++i) {
            expectNoFee(invoice(i), EACH - 1, FEE);
            sweep(sweepOf(invoice(i), address(usdc), EACH - 1, 0));
        }
        vm.assertEq(usdc.balanceOf(COLLECTOR), 0, "all of these fees are lost");
        vm.assertEq(
            usdc.balanceOf(TREASURY), deposits * (EACH - 1), "and the merchant has all the rest"
        );
    }

    /// @dev The limit counts units, so it bounds waived fees only when it is used up.
    function test_a_refund_key_without_room_waives_nothing() public {
        usdc.mint(depositOf(invoice(0)), LIMIT);
        refundLeaving(invoice(0), THIEF, LIMIT, 0);
        usdc.mint(depositOf(invoice(1)), EACH);
        vm.expectEmit(address(hub));
        emit IRemitHub.RefundFailed(
            2, abi.encodeWithSelector(IHubErrors.RefundLimitReached.selector, 1, 0)
        );
        refundLeaving(invoice(1), THIEF, 1, 0);
        sweepAsItIs(sweepOf(invoice(1), address(usdc), EACH, FEE));
        vm.assertEq(usdc.balanceOf(COLLECTOR), FEE, "its fee is charged");
    }

    function test_a_refund_key_can_not_waive_where_nothing_is_held() public {
        refundLeaving(INVOICE, THIEF, 1, 0);
        vm.assertEq(depositOf(INVOICE).code.length, 0, "not deployed");
        usdc.mint(depositOf(INVOICE), EACH);
        sweepAsItIs(sweepOf(INVOICE, address(usdc), EACH, FEE));
        vm.assertEq(usdc.balanceOf(COLLECTOR), FEE, "its fee is charged");
    }

    /// @dev A fee that was charged, is left or is owed stays what it is.
    function test_a_refund_key_can_not_touch_the_fee_of_a_deposit_that_exists() public {
        usdc.mint(depositOf(INVOICE), EACH);
        refundLeaving(INVOICE, CUSTOMER, 1, FEE);
        refundLeaving(INVOICE, THIEF, 1, 0);
        vm.assertEq(hub.feeLeft(depositOf(INVOICE)), FEE, "what the first refund has left");
        sweep(sweepOf(INVOICE, address(usdc), EACH - 2, FEE));
        vm.assertEq(usdc.balanceOf(COLLECTOR), FEE, "charged");

        usdc.mint(depositOf(invoice(1)), EACH);
        usdc.blacklist(COLLECTOR);
        sweep(sweepOf(invoice(1), address(usdc), EACH, FEE));
        usdc.unBlacklist(COLLECTOR);
        vm.assertEq(hub.feeLeft(depositOf(invoice(1))), FEE, "owed");
        refundLeaving(invoice(1), THIEF, 1, 0);
        vm.assertEq(hub.feeLeft(depositOf(invoice(1))), FEE, "and still owed");
    }

    function test_the_fees_of_a_forwarder_go_on() public {
        address forwarder = hub.forwarderAddress(MERCHANT);
        usdc.mint(forwarder, EACH + 2);
        rescue(rescueTo(address(usdc), THIEF, 1));
        distribute(RELAYER, address(usdc), MERCHANT, 1);
        vm.assertEq(usdc.balanceOf(COLLECTOR), FEE, "the registry's rate");
        vm.assertEq(usdc.balanceOf(TREASURY), EACH - FEE, "and the rest");
    }

    // What ends it

    function test_a_stop_ends_both_at_once_and_no_fee_is_lost_meanwhile() public {
        usdc.mint(depositOf(INVOICE), EACH);
        vm.prank(GUARDIAN);
        hub.stop(1 | 4);
        sweepAsItIs(sweepOf(INVOICE, address(usdc), 1, 0));
        refundLeaving(INVOICE, THIEF, 1, 0);
        vm.assertEq(depositOf(INVOICE).code.length, 0, "not deployed");
        vm.startPrank(OWNER);
        hub.setRefundSigner(address(0));
        hub.resume(1 | 4);
        vm.stopPrank();
        refundLeaving(INVOICE, THIEF, 1, 0);
        sweepAsItIs(sweepOf(INVOICE, address(usdc), EACH, FEE));
        vm.assertEq(usdc.balanceOf(COLLECTOR), FEE, "its fee is charged");
    }

    /// @dev An order out of an invoice's deposit that states what it leaves to be charged.
    function refundLeaving(bytes16 invoiceId, address to, uint256 amount, uint256 feeLeft) private {
        IRemitHub.DepositRefund memory item =
            refundBy(REFUND_KEY, invoiceId, address(usdc), to, amount);
        item.refund.feeLeft = feeLeft;
        item.signature = signed(item.refund, REFUND_KEY);
        refund(item);
    }

    /// @dev Neither a sweep that claims to deploy nor one that claims not to can charge.
    function expectNoFee(bytes16 invoiceId, uint256 amount, uint256 fee) private {
        IRemitHub.Sweep memory item = sweepOf(invoiceId, address(usdc), amount, fee);
        sweepAsItIs(item);
        item.deploys = false;
        vm.expectEmit(address(hub));
        emit IRemitHub.SweepFailed(
            depositOf(invoiceId),
            address(usdc),
            abi.encodeWithSelector(IHubErrors.FeeNotAvailable.selector, fee, 0)
        );
        sweepAsItIs(item);
        vm.assertEq(usdc.balanceOf(COLLECTOR), 0, "no fee any more");
    }

    function invoice(uint256 index) private pure returns (bytes16) {
        return bytes16(uint128(0x2000 + index));
    }
}
