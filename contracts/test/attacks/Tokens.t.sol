// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "../../src/interfaces/IRemitHub.sol";
import {
    BurningToken,
    LongReasonToken,
    ReentrantToken,
    SpoiledToken
} from "../doubles/Tokens.sol";
import {BombToken, CostlyToken} from "./support/HostileTokens.sol";
import {LiveHub} from "./support/LiveHub.sol";

/// @notice Tokens that cost more than expected, answer with anything, or call back. The owner
///         has listed them by mistake: nothing but their own item suffers.
contract TokensAttack is LiveHub {

    /// @dev Dearer than all the gas that version 1 gave an item: it had no exit.
    function test_a_token_of_350000_gas_a_transfer_can_be_swept_and_refunded() public {
        CostlyToken token = new CostlyToken();
        listLate(token);
        token.mint(depositOf(INVOICE), 100e6);
        IRemitHub.Sweep[] memory items = new IRemitHub.Sweep[](1);
        items[0] = sweepOf(INVOICE, address(token), 60e6, 1e6);
        vm.prank(RELAYER);
        hub.sweep(items, IRemitHub.Gas(1_200_000, 500_000, 100_000));
        vm.assertEq(token.balanceOf(TREASURY), 59e6, "swept");
        vm.assertEq(token.balanceOf(COLLECTOR), 1e6, "with its fee");

        IRemitHub.DepositRefund[] memory refunds = new IRemitHub.DepositRefund[](1);
        refunds[0] = refundBy(REFUND_KEY, INVOICE, address(token), CUSTOMER, 40e6);
        hub.refund(refunds, 700_000);
        vm.assertEq(token.balanceOf(CUSTOMER), 40e6, "refunded");
    }

    function test_a_costly_token_leaves_a_forwarder_too() public {
        CostlyToken token = new CostlyToken();
        listLate(token);
        token.mint(hub.forwarderAddress(MERCHANT), 100e6 + 1);
        IRemitHub.Distribution[] memory items = new IRemitHub.Distribution[](1);
        items[0] = IRemitHub.Distribution(MERCHANT, 1);
        vm.prank(RELAYER);
        hub.distribute(address(token), items, IRemitHub.Gas(1_200_000, 500_000, 100_000));
        vm.assertEq(token.balanceOf(TREASURY), 99e6, "distributed");
    }

    function test_a_bomb_of_data_costs_its_item_only() public {
        BombToken bomb = new BombToken();
        listLate(bomb);
        for (uint256 i; i < 2; ++i) {
            bomb.set(i == 1);
            betweenGoodOnes(bomb, bytes16(uint128(0x500 + 16 * i)));
        }
    }

    function test_a_long_reason_costs_its_item_only() public {
        LongReasonToken token = new LongReasonToken();
        listLate(token);
        betweenGoodOnes(token, bytes16(uint128(0x600)));
    }

    function test_burning_all_gas_costs_its_item_only() public {
        BurningToken token = new BurningToken(TREASURY);
        listLate(token);
        betweenGoodOnes(token, bytes16(uint128(0x700)));
        vm.assertEq(token.balanceOf(TREASURY), 0, "refused");
    }

    /// @dev The collector's leg burns all it is given; what is kept in reserve records the debt.
    function test_a_fee_leg_that_burns_everything_is_recorded() public {
        BurningToken token = new BurningToken(COLLECTOR);
        listLate(token);
        token.mint(depositOf(INVOICE), 100e6);
        sweepAsItIs(sweepOf(INVOICE, address(token), 100e6, 5e6));
        vm.assertEq(token.balanceOf(TREASURY), 95e6, "the merchant is paid");
        vm.assertEq(hub.feeLeft(depositOf(INVOICE)), 5e6, "the fee is owed");
    }

    /// @dev It calls back into everything that is open to everybody, from within the transfer.
    function test_calling_back_gains_nothing() public {
        ReentrantToken token = new ReentrantToken();
        listLate(token);
        address deposit = depositOf(INVOICE);
        IRemitHub.DepositRefund[] memory refunds = new IRemitHub.DepositRefund[](1);
        refunds[0] = refundBy(REFUND_KEY, INVOICE, address(token), CUSTOMER, 30e6);
        bytes[4] memory calls = [
            abi.encodeCall(hub.refund, (refunds, 100_000)),
            abi.encodeCall(hub.sweep, (new IRemitHub.Sweep[](0), plenty())),
            abi.encodeCall(hub.deployForwarder, (MERCHANT)),
            abi.encodeCall(hub.sweepItem, (sweepOf(INVOICE, address(token), 1, 0), 0, 0))
        ];
        for (uint256 i; i < calls.length; ++i) {
            bytes16 id = bytes16(uint128(0x800 + i));
            token.reenter(address(hub), calls[i]);
            token.mint(depositOf(id), 50e6);
            sweepAsItIs(sweepOf(id, address(token), 50e6, 5e6));
            uint256 left = token.balanceOf(depositOf(id));
            vm.assertTrue(left == 0 || left == 50e6, "swept once, or not at all");
        }
        uint256 paid = token.balanceOf(TREASURY);
        vm.assertEq(paid * 5, token.balanceOf(COLLECTOR) * 45, "to the right receivers");
        vm.assertTrue(paid > 45e6, "most of them are");
        token.mint(deposit, 100e6);
        token.reenter(address(hub), calls[0]);
        hub.refund(refunds, ITEM_GAS);
        hub.refund(refunds, ITEM_GAS);
        vm.assertEq(token.balanceOf(CUSTOMER), 30e6, "refunded once");
    }

    function test_an_address_without_code_is_no_token() public {
        address nothing = address(0x70CE);
        listLate(SpoiledToken(nothing));
        sweepAsItIs(sweepOf(INVOICE, nothing, 1, 0));
        vm.assertEq(depositOf(INVOICE).code.length, 0, "no sweep");
        refund(refundBy(REFUND_KEY, INVOICE, nothing, CUSTOMER, 1));
        vm.assertFalse(hub.isRefundSpent(1), "no refund");
    }

    function listLate(SpoiledToken token) private {
        bytes memory call = abi.encodeCall(hub.setToken, (address(token), true, 6, LIMIT));
        proposeAndWait(call);
        asOwner(call);
    }

    /// @dev A sweep of a hostile token between two of a good one, in one batch.
    function betweenGoodOnes(SpoiledToken hostile, bytes16 first) private {
        IRemitHub.Sweep[] memory items = new IRemitHub.Sweep[](3);
        for (uint256 i; i < 3; ++i) {
            bytes16 id = bytes16(uint128(first) + uint128(i));
            address token = i == 1 ? address(hostile) : address(usdc);
            items[i] = sweepOf(id, token, 10e6, 1e6);
            if (i == 1) hostile.mint(depositOf(id), 10e6);
            else usdc.mint(depositOf(id), 10e6);
        }
        uint256 paid = usdc.balanceOf(TREASURY);
        vm.prank(RELAYER);
        uint256 before = gasleft();
        hub.sweep(items, plenty());
        vm.assertLe(before - gasleft(), 2 * 250_000 + ITEM_GAS + 20_000, "no more than its gas");
        vm.assertEq(usdc.balanceOf(TREASURY) - paid, 18e6, "both good ones");
    }
}
