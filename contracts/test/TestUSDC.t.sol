// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {TestUSDC} from "./stand-ins/TestUSDC.sol";
import {FiatTokenAuthorizations} from "./stand-ins/FiatTokenAuthorizations.sol";
import {FiatTokenBase} from "./stand-ins/FiatTokenBase.sol";
import {KeyWallet} from "./doubles/Wallets.sol";
import {Signing} from "./support/Signing.sol";
import {Test} from "./support/Test.sol";

/// @notice The stand-in behaves as FiatToken v2.2 does, down to the reasons it gives.
contract TestUSDCTest is Test {
    uint256 private constant KEY = 0xA11CE;
    uint256 private constant ORDER =
        0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;
    address private constant PAYEE = address(0xB0B);
    address private constant STRANGER = address(0xBAD);

    TestUSDC private usdc;
    address private payer;
    uint256 private validAfter;
    uint256 private validBefore;

    function setUp() public {
        // Placed the way the local chains place it: code alone, at an address of its own choosing.
        usdc = TestUSDC(address(0x036CbD53842c5426634e7929541eC2318f3dCF7e));
        vm.etch(address(usdc), type(TestUSDC).runtimeCode);
        usdc.initialize("USDC", "USDC", "2", address(this));
        payer = vm.addr(KEY);
        usdc.mint(payer, 100e6);
        validAfter = block.timestamp - 1;
        validBefore = block.timestamp + 1;
    }

    function signTransfer(string memory kind, uint256 value, bytes32 nonce)
        private
        view
        returns (uint8 v, bytes32 r, bytes32 s)
    {
        return vm.sign(
            KEY,
            Signing.transfer(
                kind, address(usdc), payer, PAYEE, value, validAfter, validBefore, nonce
            )
        );
    }

    function transferSigned(uint256 value, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) private {
        usdc.transferWithAuthorization(
            payer, PAYEE, value, validAfter, validBefore, nonce, v, r, s
        );
    }

    function expectRefused(string memory reason, uint8 v, bytes32 r, bytes32 s) private {
        vm.expectRevert(bytes(abi.encodeWithSignature("Error(string)", reason)));
        transferSigned(10e6, "n", v, r, s);
    }

    function refusal(string memory reason) private pure returns (bytes memory) {
        return abi.encodeWithSignature("Error(string)", reason);
    }

    function test_it_is_named_once() public {
        vm.assertEq(usdc.name(), "USDC", "name");
        vm.assertEq(usdc.symbol(), "USDC", "symbol");
        vm.assertEq(usdc.version(), "2", "version");
        vm.assertEq(usdc.decimals(), 6, "decimals");
        vm.expectRevert(refusal("FiatToken: contract is already initialized"));
        usdc.initialize("Fake", "FAKE", "9", STRANGER);
    }

    function test_its_domain_follows_chain_and_address() public {
        bytes32 typeHash = keccak256(
            "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
        );
        vm.chainId(84532);
        // What Circle's own token on Base Sepolia reports.
        vm.assertEq(
            usdc.DOMAIN_SEPARATOR(),
            0x71f17a3b2ff373b803d70a5a07c046c1a2bc8e89c09ef722fcb047abe94c9818,
            "the real one"
        );
        vm.assertEq(
            usdc.DOMAIN_SEPARATOR(),
            keccak256(
                abi.encode(typeHash, keccak256("USDC"), keccak256("2"), 84532, address(usdc))
            ),
            "separator"
        );
    }

    function test_type_hashes_are_those_of_eip_3009() public view {
        vm.assertEq(
            usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(),
            0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267,
            "transfer"
        );
        vm.assertEq(
            usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(),
            0xd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de8,
            "receive"
        );
        vm.assertEq(
            usdc.CANCEL_AUTHORIZATION_TYPEHASH(),
            0x158b0a9edf7a828aad02f63cd515c68ef2f50ba807396f6d12842833a1597429,
            "cancel"
        );
    }

    function test_used_is_logged_before_the_transfer() public {
        (uint8 v, bytes32 r, bytes32 s) = signTransfer("Transfer", 10e6, "n");
        vm.expectEmit(address(usdc));
        emit FiatTokenAuthorizations.AuthorizationUsed(payer, "n");
        vm.expectEmit(address(usdc));
        emit FiatTokenBase.Transfer(payer, PAYEE, 10e6);
        transferSigned(10e6, "n", v, r, s);
        vm.assertEq(usdc.balanceOf(PAYEE), 10e6, "payee");
        expectRefused("FiatTokenV2: authorization is used or canceled", v, r, s);
    }

    function test_both_times_are_strict() public {
        (uint8 v, bytes32 r, bytes32 s) = signTransfer("Transfer", 10e6, "n");
        vm.warp(validAfter);
        expectRefused("FiatTokenV2: authorization is not yet valid", v, r, s);
        vm.warp(validBefore);
        expectRefused("FiatTokenV2: authorization is expired", v, r, s);
        vm.warp(validAfter + 1);
        transferSigned(10e6, "n", v, r, s);
    }

    function test_a_malleable_signature_is_refused() public {
        (uint8 v, bytes32 r, bytes32 s) = signTransfer("Transfer", 10e6, "n");
        expectRefused(
            "ECRecover: invalid signature 's' value", v ^ 7, r, bytes32(ORDER - uint256(s))
        );
        expectRefused("ECRecover: invalid signature 'v' value", v - 27, r, s);
        expectRefused("ECRecover: invalid signature", v, bytes32(0), s);
        vm.expectRevert(refusal("ECRecover: invalid signature length"));
        usdc.transferWithAuthorization(
            payer, PAYEE, 10e6, validAfter, validBefore, "n", abi.encodePacked(r, s)
        );
    }

    function testFuzz_another_value_is_another_signature(uint256 value) public {
        vm.assume(value != 10e6);
        (uint8 v, bytes32 r, bytes32 s) = signTransfer("Transfer", value, "n");
        expectRefused("FiatTokenV2: invalid signature", v, r, s);
    }

    function test_bytes_carry_the_signature_as_r_s_v() public {
        (uint8 v, bytes32 r, bytes32 s) = signTransfer("Transfer", 10e6, "n");
        usdc.transferWithAuthorization(
            payer, PAYEE, 10e6, validAfter, validBefore, "n", abi.encodePacked(r, s, v)
        );
        vm.assertEq(usdc.balanceOf(PAYEE), 10e6, "payee");
    }

    function test_a_payer_with_code_is_asked_instead() public {
        (uint8 v, bytes32 r, bytes32 s) = signTransfer("Transfer", 10e6, "n");
        vm.etch(payer, address(new KeyWallet(STRANGER)).code);
        expectRefused("FiatTokenV2: invalid signature", v, r, s);
        vm.etch(payer, address(new KeyWallet(payer)).code);
        transferSigned(10e6, "n", v, r, s);
    }

    function test_only_the_payee_receives() public {
        (uint8 v, bytes32 r, bytes32 s) = signTransfer("Receive", 10e6, "n");
        vm.expectRevert(refusal("FiatTokenV2: caller must be the payee"));
        usdc.receiveWithAuthorization(
            payer, PAYEE, 10e6, validAfter, validBefore, "n", v, r, s
        );
        vm.expectRevert(refusal("FiatTokenV2: invalid signature"));
        transferSigned(10e6, "n", v, r, s);
        vm.startPrank(PAYEE);
        usdc.receiveWithAuthorization(
            payer, PAYEE, 10e6, validAfter, validBefore, "n", v, r, s
        );
        vm.expectRevert(refusal("FiatTokenV2: authorization is used or canceled"));
        usdc.receiveWithAuthorization(
            payer, PAYEE, 10e6, validAfter, validBefore, "n", abi.encodePacked(r, s, v)
        );
        vm.stopPrank();
        vm.assertEq(usdc.balanceOf(PAYEE), 10e6, "payee");
    }

    function test_a_canceled_authorization_cannot_be_used() public {
        bytes32 digest = Signing.digest(
            usdc.DOMAIN_SEPARATOR(),
            keccak256(abi.encode(usdc.CANCEL_AUTHORIZATION_TYPEHASH(), payer, bytes32("n")))
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, digest);
        vm.expectEmit(address(usdc));
        emit FiatTokenAuthorizations.AuthorizationCanceled(payer, "n");
        usdc.cancelAuthorization(payer, "n", v, r, s);
        vm.assertTrue(usdc.authorizationState(payer, "n"), "spent");
        vm.expectRevert(refusal("FiatTokenV2: authorization is used or canceled"));
        usdc.cancelAuthorization(payer, "n", abi.encodePacked(r, s, v));
        (v, r, s) = signTransfer("Transfer", 10e6, "n");
        expectRefused("FiatTokenV2: authorization is used or canceled", v, r, s);
    }

    function test_more_than_the_balance_is_refused() public {
        (uint8 v, bytes32 r, bytes32 s) = signTransfer("Transfer", 101e6, "n");
        vm.expectRevert(refusal("ERC20: transfer amount exceeds balance"));
        transferSigned(101e6, "n", v, r, s);
        vm.assertFalse(usdc.authorizationState(payer, "n"), "not used");
    }

    function test_the_blacklist_stops_both_ends_and_keeps_the_balance() public {
        (uint8 v, bytes32 r, bytes32 s) = signTransfer("Transfer", 10e6, "n");
        string memory reason = "Blacklistable: account is blacklisted";
        usdc.blacklist(payer);
        vm.assertEq(usdc.balanceOf(payer), 100e6, "the balance is still reported");
        expectRefused(reason, v, r, s);
        usdc.unBlacklist(payer);
        usdc.blacklist(PAYEE);
        expectRefused(reason, v, r, s);
        vm.expectRevert(refusal(reason));
        vm.prank(payer);
        usdc.transfer(PAYEE, 1);
        usdc.unBlacklist(PAYEE);
        transferSigned(10e6, "n", v, r, s);
        vm.expectRevert(refusal(reason));
        vm.prank(payer);
        usdc.transfer(address(usdc), 1);
    }

    function test_balance_and_blacklist_share_a_slot() public {
        usdc.blacklist(payer);
        uint256 found;
        for (uint256 slot; slot < 16; ++slot) {
            uint256 word = uint256(vm.load(address(usdc), keccak256(abi.encode(payer, slot))));
            if (word == 0) continue;
            ++found;
            vm.assertEq(word, 1 << 255 | 100e6, "both");
        }
        vm.assertEq(found, 1, "one slot");
    }

    function test_a_pause_stops_everything() public {
        (uint8 v, bytes32 r, bytes32 s) = signTransfer("Transfer", 10e6, "n");
        usdc.pause();
        expectRefused("Pausable: paused", v, r, s);
        vm.expectRevert(refusal("Pausable: paused"));
        usdc.mint(payer, 1);
        vm.expectRevert(refusal("Pausable: paused"));
        vm.prank(payer);
        usdc.approve(PAYEE, 1);
        usdc.unpause();
        transferSigned(10e6, "n", v, r, s);
    }

    function test_roles_are_kept() public {
        vm.startPrank(STRANGER);
        vm.expectRevert(refusal("FiatToken: caller is not a minter"));
        usdc.mint(STRANGER, 1);
        vm.expectRevert(refusal("Pausable: caller is not the pauser"));
        usdc.pause();
        vm.expectRevert(refusal("Blacklistable: caller is not the blacklister"));
        usdc.blacklist(payer);
        vm.expectRevert(refusal("Ownable: caller is not the owner"));
        usdc.setMinter(STRANGER, true);
        vm.stopPrank();
        usdc.setMinter(STRANGER, true);
        vm.prank(STRANGER);
        usdc.mint(STRANGER, 1);
        vm.assertEq(usdc.totalSupply(), 100e6 + 1, "supply");
    }

    function test_allowances_are_spent() public {
        vm.prank(payer);
        usdc.approve(PAYEE, 10e6);
        vm.startPrank(PAYEE);
        usdc.transferFrom(payer, STRANGER, 4e6);
        vm.assertEq(usdc.allowance(payer, PAYEE), 6e6, "left");
        vm.expectRevert(refusal("ERC20: transfer amount exceeds allowance"));
        usdc.transferFrom(payer, STRANGER, 7e6);
        vm.stopPrank();
        vm.startPrank(payer);
        usdc.increaseAllowance(PAYEE, 1);
        vm.expectRevert(refusal("ERC20: decreased allowance below zero"));
        usdc.decreaseAllowance(PAYEE, 7e6);
        vm.stopPrank();
    }

    function test_a_permit_sets_an_allowance_once() public {
        bytes32 digest = Signing.digest(
            usdc.DOMAIN_SEPARATOR(),
            keccak256(
                abi.encode(usdc.PERMIT_TYPEHASH(), payer, PAYEE, 5e6, 0, type(uint256).max)
            )
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, digest);
        usdc.permit(payer, PAYEE, 5e6, type(uint256).max, v, r, s);
        vm.assertEq(usdc.allowance(payer, PAYEE), 5e6, "allowance");
        vm.expectRevert(refusal("EIP2612: invalid signature"));
        usdc.permit(payer, PAYEE, 5e6, type(uint256).max, abi.encodePacked(r, s, v));
        vm.expectRevert(refusal("FiatTokenV2: permit is expired"));
        usdc.permit(payer, PAYEE, 5e6, block.timestamp - 1, v, r, s);
    }

    function testFuzz_transfers_keep_the_sum(uint256 value) public {
        vm.prank(payer);
        (bool ok,) = address(usdc).call(abi.encodeCall(usdc.transfer, (PAYEE, value)));
        vm.assertTrue(ok == (value <= 100e6), "exactly what it holds");
        vm.assertEq(usdc.balanceOf(payer) + usdc.balanceOf(PAYEE), 100e6, "sum");
    }
}
