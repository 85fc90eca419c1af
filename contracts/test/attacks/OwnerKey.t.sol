// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../../src/interfaces/IRemitHub.sol";
import {LiveHub} from "./support/LiveHub.sol";

/// @notice The thief has the owner's key, and every other key is where it belongs.
contract OwnerKeyAttack is LiveHub {

    function setUp() public override {
        super.setUp();
        usdc.mint(depositOf(INVOICE), 100e6);
        usdc.mint(hub.forwarderAddress(MERCHANT), 100e6);
        usdc.mint(address(hub), 7e6);
        hub.deployForwarder(MERCHANT);
    }

    function test_nothing_that_adds_power_goes_without_a_proposal() public {
        bytes[] memory calls = powers();
        for (uint256 i; i < calls.length; ++i) {
            expectRefused(
                OWNER,
                calls[i],
                abi.encodeWithSelector(IHubErrors.NotProposed.selector, keccak256(calls[i]))
            );
        }
        nothingHappened();
    }

    function test_within_the_delay_it_moves_nothing_and_appoints_nobody() public {
        bytes[] memory calls = powers();
        uint256 start = block.timestamp;
        vm.startPrank(OWNER);
        for (uint256 i; i < calls.length; ++i) hub.propose(calls[i]);
        vm.stopPrank();
        vm.warp(start + OWNER_DELAY - 1);
        for (uint256 i; i < calls.length; ++i) {
            bytes32 id = keccak256(calls[i]);
            expectRefused(
                OWNER,
                calls[i],
                abi.encodeWithSelector(IHubErrors.NotReady.selector, id, hub.readyAt(id))
            );
        }
        nothingHappened();
    }

    /// @dev The guardian watches for ten weeks. Only his own replacement is beyond his veto.
    function test_a_veto_ends_each_try() public {
        bytes[] memory calls = powers();
        for (uint256 round; round < 5; ++round) {
            for (uint256 i; i < calls.length; ++i) {
                if (bytes4(calls[i]) == hub.setGuardian.selector) continue;
                vm.prank(OWNER);
                hub.propose(calls[i]);
                vm.warp(block.timestamp + 1 days);
                vm.prank(GUARDIAN);
                hub.vetoProposal(keccak256(calls[i]));
            }
            vm.warp(block.timestamp + OWNER_DELAY);
            for (uint256 i; i < calls.length; ++i) {
                vm.prank(OWNER);
                (bool ok,) = address(hub).call(calls[i]);
                vm.assertFalse(ok, "vetoed");
            }
        }
        nothingHappened();
    }

    /// @dev What the owner does at once and could be the first step of more.
    function test_what_it_does_at_once_opens_no_other_way() public {
        vm.startPrank(OWNER);
        hub.setConfigSigner(address(0));
        hub.setRefundSigner(address(0));
        hub.setOperator(RELAYER, false);
        hub.setToken(address(usdc), false, 6, 0);
        hub.stop(15);
        hub.resume(15);
        hub.setDelays(30 days, 30 days);
        hub.transferOwnership(address(0));
        vm.stopPrank();
        bytes[] memory calls = powers();
        for (uint256 i; i < calls.length; ++i) {
            vm.prank(OWNER);
            (bool ok,) = address(hub).call(calls[i]);
            vm.assertFalse(ok, "it still needs a proposal");
        }
        vm.assertEq(usdc.balanceOf(THIEF), 0, "nothing moved");
        vm.assertEq(hub.guardian(), GUARDIAN, "the guardian is still there");
    }

    /// @dev The order needs the refund signer's signature as well: two keys.
    function test_an_approval_alone_pays_nothing() public {
        usdc.mint(depositOf(INVOICE), 10 * uint256(LIMIT));
        uint256 hisOwnKey = 0xBADBAD;
        IRemitHub.DepositRefund memory item =
            refundBy(hisOwnKey, INVOICE, address(usdc), THIEF, LIMIT);
        bytes32 digest = digestOf(item.refund);
        vm.prank(OWNER);
        hub.approveRefund(digest);
        refund(item);
        vm.assertEq(usdc.balanceOf(THIEF), 0, "not without the signer");
    }

    function test_an_executed_proposal_does_not_serve_twice() public {
        bytes memory call = abi.encodeCall(hub.setOperator, (THIEF, true));
        proposeAndWait(call);
        asOwner(call);
        vm.prank(OWNER);
        hub.setOperator(THIEF, false);
        expectRefused(
            OWNER,
            call,
            abi.encodeWithSelector(IHubErrors.NotProposed.selector, keccak256(call))
        );
    }

    function test_a_proposal_is_not_kept_for_a_better_day() public {
        bytes memory call = abi.encodeCall(hub.setOperator, (THIEF, true));
        proposeAndWait(call);
        uint64 expiry = hub.readyAt(keccak256(call)) + 14 days;
        vm.warp(expiry + 1);
        expectRefused(
            OWNER,
            call,
            abi.encodeWithSelector(
                IHubErrors.ProposalExpired.selector, keccak256(call), expiry
            )
        );
        vm.warp(expiry);
        asOwner(call);
        vm.assertTrue(hub.isOperator(THIEF), "until the last second");
    }

    /// @dev The last byte of a call's second argument.
    uint256 private constant FLAG_AT = 4 + 63;

    /// @dev A proposal is for one calldata; another argument is another proposal.
    function testFuzz_a_ripe_proposal_serves_no_other_call(uint256 pick, uint256 spoil) public {
        bytes[] memory calls = powers();
        // Limits and delays are left out: changed a little they may take power away.
        pick = pick % (calls.length - 4);
        bytes memory call = calls[pick];
        proposeAndWait(call);
        bytes memory other = bytes.concat(call);
        uint256 at = within(spoil, 4, other.length - 1);
        // Turned off, an operator or a token is taken away, which needs no proposal.
        if ((pick == 4 || pick == 5) && at == FLAG_AT) --at;
        other[at] = bytes1(uint8(other[at]) ^ 1);
        vm.prank(OWNER);
        (bool ok,) = address(hub).call(other);
        vm.assertFalse(ok, "it was not proposed");
        nothingHappened();
    }

    function test_the_guardian_is_replaced_in_two_weeks_and_not_before() public {
        bytes memory call = abi.encodeCall(hub.setGuardian, (THIEF));
        vm.prank(OWNER);
        hub.propose(call);
        bytes32 id = keccak256(call);
        vm.assertEq(hub.readyAt(id), block.timestamp + 7 * OWNER_DELAY, "two weeks");
        vm.warp(block.timestamp + 7 * OWNER_DELAY - 1);
        expectRefused(
            OWNER,
            call,
            abi.encodeWithSelector(IHubErrors.NotReady.selector, id, hub.readyAt(id))
        );
        vm.assertEq(hub.guardian(), GUARDIAN, "still the same");
    }

    function test_only_the_owner_proposes_and_executes() public {
        bytes memory call = abi.encodeCall(hub.setOperator, (THIEF, true));
        expectRefused(
            THIEF,
            abi.encodeCall(hub.propose, (call)),
            abi.encodeWithSelector(IHubErrors.NotOwner.selector, THIEF, OWNER)
        );
        proposeAndWait(call);
        expectRefused(
            THIEF, call, abi.encodeWithSelector(IHubErrors.NotOwner.selector, THIEF, OWNER)
        );
    }

    /// @dev Everything that gives an account a power, in the thief's favour.
    function powers() private view returns (bytes[] memory calls) {
        calls = new bytes[](14);
        calls[0] = abi.encodeCall(hub.setConfigSigner, (THIEF));
        calls[1] = abi.encodeCall(hub.setRefundSigner, (THIEF));
        calls[2] = abi.encodeCall(hub.setGuardian, (address(0)));
        calls[3] = abi.encodeCall(hub.setFeeCollector, (THIEF));
        calls[4] = abi.encodeCall(hub.setOperator, (THIEF, true));
        calls[5] = abi.encodeCall(hub.setToken, (THIEF, true, 6, 0));
        calls[6] = abi.encodeCall(hub.transferOwnership, (THIEF));
        calls[7] = abi.encodeCall(hub.setMerchant, (entry(MERCHANT, THIEF, 2)));
        calls[8] = abi.encodeCall(hub.recover, (address(hub), address(usdc), THIEF, 7e6));
        calls[9] = abi.encodeCall(
            hub.recoverCall, (hub.forwarderAddress(MERCHANT), address(hub), hex"00")
        );
        calls[10] = abi.encodeCall(hub.setToken, (address(usdc), true, 6, LIMIT + 1));
        calls[11] = abi.encodeCall(hub.setToken, (address(usdc), true, 7, LIMIT));
        calls[12] = abi.encodeCall(hub.setDelays, (OWNER_DELAY - 1, CONFIG_DELAY));
        calls[13] = abi.encodeCall(hub.setDelays, (30 days, CONFIG_DELAY - 1));
    }

    function nothingHappened() private view {
        vm.assertEq(hub.owner(), OWNER, "owner");
        vm.assertEq(hub.pendingOwner(), address(0), "pending owner");
        vm.assertEq(hub.guardian(), GUARDIAN, "guardian");
        vm.assertEq(hub.configSigner(), vm.addr(CONFIG_KEY), "configuration signer");
        vm.assertEq(hub.refundSigner(), vm.addr(REFUND_KEY), "refund signer");
        vm.assertEq(hub.feeCollector(), COLLECTOR, "collector");
        vm.assertFalse(hub.isOperator(THIEF), "operator");
        (bool listed, uint8 decimals, uint232 limit) = hub.tokens(address(usdc));
        vm.assertTrue(listed && decimals == 6 && limit == LIMIT, "token");
        (listed,,) = hub.tokens(THIEF);
        vm.assertFalse(listed, "no other token");
        vm.assertEq(hub.ownerDelay(), OWNER_DELAY, "owner's delay");
        vm.assertEq(hub.configDelay(), CONFIG_DELAY, "delay of treasuries");
        vm.assertEq(treasuryOf(MERCHANT), TREASURY, "treasury");
        vm.assertEq(usdc.balanceOf(THIEF), 0, "money");
    }
}
