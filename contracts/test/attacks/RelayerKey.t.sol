// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../../src/interfaces/IRemitHub.sol";
import {FalseToken, ReentrantToken} from "../doubles/Tokens.sol";
import {LiveHub} from "./support/LiveHub.sol";

/// @notice The thief has a relayer's key: he sweeps and distributes as he likes, with any arguments.
contract RelayerKeyAttack is LiveHub {

    /// @dev Deployed by a worthless token, the deposit could never be charged its fee.
    function test_a_worthless_token_deploys_no_deposit() public {
        ReentrantToken junk = new ReentrantToken();
        address deposit = depositOf(INVOICE);
        junk.mint(deposit, 1);
        vm.expectEmit(address(hub));
        emit IRemitHub.SweepFailed(
            deposit,
            address(junk),
            abi.encodeWithSelector(IHubErrors.TokenNotListed.selector, address(junk))
        );
        sweepAsItIs(sweepOf(INVOICE, address(junk), 1, 0));
        vm.assertEq(deposit.code.length, 0, "not deployed");

        usdc.mint(deposit, 100e6);
        sweepAsItIs(sweepOf(INVOICE, address(usdc), 100e6, 5e6));
        vm.assertEq(usdc.balanceOf(COLLECTOR), 5e6, "the fee is not lost");
    }

    /// @dev A batch was mined and forgotten; 40 more are received and promised to the customer.
    function test_a_sweep_that_is_sent_twice_takes_no_late_money() public {
        IRemitHub.Sweep memory item = sweepOf(INVOICE, address(usdc), 100e6, 1e6);
        usdc.mint(depositOf(INVOICE), 100e6 + 60e6 + 80e6);
        item.leave = 140e6;
        sweepAsItIs(item);
        vm.assertEq(usdc.balanceOf(depositOf(INVOICE)), 140e6, "what was to stay");
        sweepAsItIs(item);
        (item.deploys, item.fee) = (false, 0);
        vm.expectEmit(address(hub));
        emit IRemitHub.SweepFailed(
            depositOf(INVOICE),
            address(usdc),
            abi.encodeWithSelector(IHubErrors.DepositLeavesLess.selector, 40e6, 140e6)
        );
        sweepAsItIs(item);
        vm.assertEq(usdc.balanceOf(depositOf(INVOICE)), 140e6, "untouched by the second");
    }

    /// @dev The first sweep left nothing behind and named nothing to leave; its repeat states that
    ///      it deploys, which is no longer true.
    function test_a_deploying_sweep_never_happens_twice() public {
        IRemitHub.Sweep memory item = sweepOf(INVOICE, address(usdc), 100e6, 1e6);
        usdc.mint(depositOf(INVOICE), 100e6);
        sweepAsItIs(item);
        usdc.mint(depositOf(INVOICE), 100e6);
        sweepAsItIs(item);
        vm.assertEq(usdc.balanceOf(depositOf(INVOICE)), 100e6, "the late payment stays");
    }

    function testFuzz_only_the_right_recipients_are_paid(
        IRemitHub.Sweep memory item,
        uint256 held
    ) public {
        held = within(held, 1, 1e12);
        item.merchantId = MERCHANT;
        item.token = address(usdc);
        item.maxFee = within(item.maxFee, 0, 1e9);
        item.fee = within(item.fee, 0, item.maxFee + item.maxFee / 4);
        item.amount = within(item.amount, 0, held + held / 4);
        item.leave = item.leave & 1 == 0 ? 0 : within(item.leave, 0, 2e12);
        if (item.version > 3) item.version = 1;
        address deposit = depositOf(item);
        if (item.recipient == COLLECTOR || item.recipient == deposit) return;
        address receiver = item.recipient == address(0) ? TREASURY : item.recipient;
        usdc.mint(deposit, held);
        sweepAsItIs(item);
        uint256 paid = usdc.balanceOf(receiver);
        uint256 fee = usdc.balanceOf(COLLECTOR);
        uint256 left = usdc.balanceOf(deposit);
        vm.assertEq(paid + fee + left, held, "to them, and to no one else");
        vm.assertTrue(fee <= item.maxFee, "the fee that the address allows");
        vm.assertTrue(paid + fee == 0 || paid + fee == item.amount, "exactly the amount");
        if (paid + fee != 0) vm.assertTrue(left >= item.leave, "what was to be left");
    }

    function test_the_fee_is_charged_once() public {
        usdc.mint(depositOf(INVOICE), 300e6);
        IRemitHub.Sweep memory item = sweepOf(INVOICE, address(usdc), 100e6, MAX_FEE);
        sweepAsItIs(item);
        item.deploys = false;
        sweepAsItIs(item);
        item.fee = 1;
        sweepAsItIs(item);
        vm.assertEq(usdc.balanceOf(COLLECTOR), MAX_FEE, "once");
        vm.assertEq(usdc.balanceOf(depositOf(INVOICE)), 200e6, "the others failed");
    }

    /// @dev Too little gas for the fee leg makes it appear refused; what is owed stays owed.
    function test_a_fee_that_was_starved_is_still_owed() public {
        address deposit = depositOf(INVOICE);
        usdc.mint(deposit, 100e6);
        IRemitHub.Sweep[] memory items = new IRemitHub.Sweep[](1);
        items[0] = sweepOf(INVOICE, address(usdc), 100e6, 5e6);
        vm.prank(RELAYER);
        hub.sweep(items, IRemitHub.Gas(ITEM_GAS, 1, 60_000));
        vm.assertEq(usdc.balanceOf(TREASURY), 95e6, "the merchant is paid");
        vm.assertEq(hub.feeLeft(deposit), 5e6, "still owed");
        items[0].amount = 5e6;
        items[0].deploys = false;
        sweepAsItIs(items[0]);
        vm.assertEq(usdc.balanceOf(COLLECTOR), 5e6, "and paid later");
    }

    function test_gas_that_nobody_has_reverts_all_or_fails_the_item() public {
        usdc.mint(depositOf(INVOICE), 100e6);
        IRemitHub.Sweep[] memory items = new IRemitHub.Sweep[](1);
        items[0] = sweepOf(INVOICE, address(usdc), 100e6, 5e6);
        uint256 most = type(uint256).max;
        IRemitHub.Gas[4] memory gases = [
            IRemitHub.Gas(most, 100_000, 60_000),
            IRemitHub.Gas(ITEM_GAS, most, 60_000),
            IRemitHub.Gas(ITEM_GAS, 100_000, most),
            IRemitHub.Gas(0, 0, 0)
        ];
        for (uint256 i; i < gases.length; ++i) {
            vm.prank(RELAYER);
            try hub.sweep(items, gases[i]) {} catch {}
            vm.assertEq(usdc.balanceOf(depositOf(INVOICE)), 100e6, "nothing moved");
            vm.assertEq(depositOf(INVOICE).code.length, 0, "nothing was deployed");
        }
    }

    /// @dev A wrong flag costs the item, never the batch.
    function test_a_wrong_flag_costs_its_item_only() public {
        IRemitHub.Sweep[] memory items = new IRemitHub.Sweep[](9);
        for (uint256 i; i < items.length; ++i) {
            bytes16 id = bytes16(uint128(0x900 + i));
            usdc.mint(depositOf(id), 2e6);
            items[i] = sweepOf(id, address(usdc), 1e6, 0);
            if (i % 3 == 1) sweepAsItIs(items[i]); // Deployed already, but marked as new.
            if (i % 3 == 2) items[i].deploys = false; // Not deployed, but marked so.
        }
        vm.prank(RELAYER);
        hub.sweep(items, plenty());
        for (uint256 i; i < items.length; ++i) {
            uint256 left = i % 3 == 2 ? 2e6 : 1e6;
            vm.assertEq(usdc.balanceOf(depositOf(items[i])), left, "only the right ones");
        }
    }

    function test_it_has_no_other_power() public {
        bytes[] memory calls = new bytes[](4);
        calls[0] = abi.encodeCall(hub.setOperator, (THIEF, true));
        calls[1] = abi.encodeCall(hub.propose, (hex"00"));
        calls[2] = abi.encodeCall(hub.resume, (1));
        calls[3] = abi.encodeCall(hub.approveRefund, (bytes32(0)));
        for (uint256 i; i < calls.length; ++i) {
            expectRefused(
                RELAYER,
                calls[i],
                abi.encodeWithSelector(IHubErrors.NotOwner.selector, RELAYER, OWNER)
            );
        }
    }

    function test_the_guardian_stops_it_and_the_owner_dismisses_it_at_once() public {
        usdc.mint(depositOf(INVOICE), 100e6);
        usdc.mint(hub.forwarderAddress(MERCHANT), 100e6);
        vm.prank(GUARDIAN);
        hub.stop(3);
        sweepAsItIs(sweepOf(INVOICE, address(usdc), 100e6, 0));
        distribute(RELAYER, address(usdc), MERCHANT, 1);
        vm.assertEq(usdc.balanceOf(TREASURY), 0, "stopped");
        vm.startPrank(OWNER);
        hub.setOperator(RELAYER, false);
        hub.resume(3);
        vm.stopPrank();
        distribute(RELAYER, address(usdc), MERCHANT, 1);
        vm.assertEq(usdc.balanceOf(TREASURY), 0, "dismissed");
        IRemitHub.Sweep[] memory none = new IRemitHub.Sweep[](0);
        expectRefused(
            RELAYER,
            abi.encodeCall(hub.sweep, (none, plenty())),
            abi.encodeWithSelector(IHubErrors.NotOperator.selector, RELAYER)
        );
    }

    /// @dev A token that was listed by mistake and refuses everything costs no other item.
    function test_a_listed_token_that_lies_moves_nothing() public {
        FalseToken liar = new FalseToken();
        bytes memory call = abi.encodeCall(hub.setToken, (address(liar), true, 6, 0));
        proposeAndWait(call);
        asOwner(call);
        liar.mint(depositOf(INVOICE), 10e6);
        sweepAsItIs(sweepOf(INVOICE, address(liar), 10e6, 1e6));
        vm.assertEq(depositOf(INVOICE).code.length, 0, "a failed item deploys nothing");
    }
}
