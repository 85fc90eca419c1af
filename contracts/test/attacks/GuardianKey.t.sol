// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../../src/interfaces/IHubErrors.sol";
import {LiveHub} from "./support/LiveHub.sol";

/// @notice The thief has the guardian's key: he can hold things up, and nothing else.
contract GuardianKeyAttack is LiveHub {

    function test_it_can_do_nothing_but_stop_and_veto() public {
        usdc.mint(address(hub), 7e6);
        bytes[] memory calls = new bytes[](20);
        calls[0] = abi.encodeCall(hub.resume, (1));
        calls[1] = abi.encodeCall(hub.propose, (hex"00"));
        calls[2] = abi.encodeCall(hub.approveRefund, (bytes32(0)));
        calls[3] = abi.encodeCall(hub.setConfigSigner, (address(0)));
        calls[4] = abi.encodeCall(hub.setConfigSigner, (THIEF));
        calls[5] = abi.encodeCall(hub.setRefundSigner, (address(0)));
        calls[6] = abi.encodeCall(hub.setRefundSigner, (THIEF));
        calls[7] = abi.encodeCall(hub.setGuardian, (THIEF));
        calls[8] = abi.encodeCall(hub.setFeeCollector, (THIEF));
        calls[9] = abi.encodeCall(hub.setOperator, (THIEF, true));
        calls[10] = abi.encodeCall(hub.setOperator, (RELAYER, false));
        calls[11] = abi.encodeCall(hub.setToken, (address(usdc), false, 6, 0));
        calls[12] = abi.encodeCall(hub.setToken, (THIEF, true, 6, LIMIT));
        calls[13] = abi.encodeCall(hub.setDelays, (0, 0));
        calls[14] = abi.encodeCall(hub.setDelays, (30 days, 30 days));
        calls[15] = abi.encodeCall(hub.transferOwnership, (THIEF));
        calls[16] = abi.encodeCall(hub.transferOwnership, (address(0)));
        calls[17] = abi.encodeCall(hub.setMerchant, (entry(MERCHANT, THIEF, 2)));
        calls[18] = abi.encodeCall(hub.recover, (address(hub), address(usdc), THIEF, 7e6));
        calls[19] = abi.encodeCall(hub.recoverCall, (THIEF, address(usdc), hex"00"));
        for (uint256 i; i < calls.length; ++i) {
            expectRefused(
                GUARDIAN,
                calls[i],
                abi.encodeWithSelector(IHubErrors.NotOwner.selector, GUARDIAN, OWNER)
            );
        }
        expectRefused(
            GUARDIAN,
            abi.encodeCall(hub.acceptOwnership, ()),
            abi.encodeWithSelector(
                IHubErrors.NotPendingOwner.selector, GUARDIAN, address(0)
            )
        );
    }

    function test_what_it_stops_the_owner_resumes_at_once() public {
        usdc.mint(depositOf(INVOICE), 10e6);
        vm.prank(GUARDIAN);
        hub.stop(15);
        sweepAsItIs(sweepOf(INVOICE, address(usdc), 10e6, 0));
        vm.assertEq(usdc.balanceOf(TREASURY), 0, "stopped");
        vm.prank(OWNER);
        hub.resume(15);
        sweepAsItIs(sweepOf(INVOICE, address(usdc), 10e6, 0));
        vm.assertEq(usdc.balanceOf(TREASURY), 10e6, "nothing was lost");
    }

    /// @dev The guardian vetoes every proposal of the owner except its own replacement.
    function test_it_can_not_stay_for_ever() public {
        bytes memory replacement = abi.encodeCall(hub.setGuardian, (CUSTOMER));
        vm.prank(OWNER);
        hub.propose(replacement);
        expectRefused(
            GUARDIAN,
            abi.encodeCall(hub.vetoProposal, (keccak256(replacement))),
            abi.encodeWithSelector(IHubErrors.NotOwner.selector, GUARDIAN, OWNER)
        );
        vm.warp(block.timestamp + 7 * OWNER_DELAY);
        asOwner(replacement);
        vm.assertEq(hub.guardian(), CUSTOMER, "replaced after two weeks");
        expectRefused(
            GUARDIAN,
            abi.encodeCall(hub.stop, (1)),
            abi.encodeWithSelector(IHubErrors.NotGuardian.selector, GUARDIAN)
        );
    }

    function test_the_owner_can_end_his_own_proposal_for_another_guardian() public {
        bytes memory replacement = abi.encodeCall(hub.setGuardian, (CUSTOMER));
        vm.prank(OWNER);
        hub.propose(replacement);
        vm.prank(OWNER);
        hub.vetoProposal(keccak256(replacement));
        vm.warp(block.timestamp + 7 * OWNER_DELAY);
        expectRefused(
            OWNER,
            replacement,
            abi.encodeWithSelector(
                IHubErrors.NotProposed.selector, keccak256(replacement)
            )
        );
    }

    function test_payments_that_payers_signed_are_never_stopped() public {
        vm.prank(GUARDIAN);
        hub.stop(255);
        address forwarder = hub.forwarderAddress(MERCHANT);
        usdc.mint(vm.addr(PAYER_KEY), 10e6);
        settle(authorization(PAYER_KEY, forwarder, 10e6, "n"));
        vm.assertEq(usdc.balanceOf(forwarder), 10e6, "it is received, and waits there");
    }

    function test_nobody_else_stops_or_vetoes() public {
        configure(entry(MERCHANT, CUSTOMER, 2));
        bytes[] memory calls = new bytes[](3);
        calls[0] = abi.encodeCall(hub.stop, (1));
        calls[1] = abi.encodeCall(hub.veto, (MERCHANT));
        calls[2] = abi.encodeCall(hub.vetoProposal, (bytes32(0)));
        for (uint256 i; i < calls.length; ++i) {
            expectRefused(
                THIEF, calls[i], abi.encodeWithSelector(IHubErrors.NotGuardian.selector, THIEF)
            );
        }
    }
}
