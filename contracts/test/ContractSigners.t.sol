// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {BurningWallet, KeyWallet} from "./doubles/Wallets.sol";
import {Loudmouth} from "./doubles/Tokens.sol";
import {HubTest} from "./support/HubTest.sol";
import {Signing} from "./support/Signing.sol";

/// @notice A Safe, a KMS behind a contract or an MPC wallet may sign (ERC-1271); the zero address may not.
contract ContractSignersTest is HubTest {
    uint256 private constant KEY = 0x5AFE;

    function appoint(address signer) private {
        vm.startPrank(OWNER);
        hub.setConfigSigner(signer);
        hub.setRefundSigner(signer);
        vm.stopPrank();
    }

    function fundedRefund(uint256 key) private returns (IRemitHub.DepositRefund memory order) {
        order = refundOf(1, address(usdc), RECIPIENT, 5e6);
        usdc.mint(order.refund.source, 5e6);
        order.signature = signed(order.refund, key);
    }

    function expectBothRefused(address signer, bytes memory signature) private {
        bytes memory reason = abi.encodeWithSelector(IHubErrors.BadSignature.selector, signer);
        IRemitHub.DepositRefund memory order = refundOf(1, address(usdc), RECIPIENT, 5e6);
        order.signature = signature;
        expectRefundRefused(order, reason);
        IRemitHub.MerchantConfig memory config = entry(OTHER_MERCHANT, RECIPIENT, 1);
        vm.expectEmit(address(hub));
        emit IRemitHub.ConfigureFailed(OTHER_MERCHANT, 1, reason);
        configure(config, signature);
    }

    function test_a_contract_signs_refunds_and_entries() public {
        appoint(address(new KeyWallet(vm.addr(KEY))));
        configure(entry(OTHER_MERCHANT, RECIPIENT, 1), KEY);
        vm.assertEq(treasuryOf(OTHER_MERCHANT), RECIPIENT, "entry");
        refund(fundedRefund(KEY));
        vm.assertEq(usdc.balanceOf(RECIPIENT), 5e6, "refund");
    }

    function test_a_contract_that_disagrees_is_obeyed() public {
        address wallet = address(new KeyWallet(vm.addr(KEY)));
        appoint(wallet);
        bytes memory reason = abi.encodeWithSelector(IHubErrors.BadSignature.selector, wallet);
        expectConfigureRefused(entry(OTHER_MERCHANT, RECIPIENT, 1), CONFIG_KEY, reason);
        expectRefundRefused(fundedRefund(REFUND_KEY), reason);
    }

    function test_a_contract_without_the_function_signs_nothing() public {
        appoint(address(usdt));
        expectBothRefused(address(usdt), new bytes(65));
        appoint(address(new Loudmouth()));
        expectBothRefused(hub.refundSigner(), new bytes(65));
    }

    /// @dev It costs its item, or the submitter's transaction; nothing is written.
    function test_a_contract_that_burns_gas_signs_nothing() public {
        appoint(address(new BurningWallet()));
        IRemitHub.DepositRefund memory order = fundedRefund(KEY);
        refund(order);
        vm.assertFalse(hub.isRefundSpent(1), "unspent");
    }

    /// @dev ecrecover answers zero for what is no signature, and no code accepts nothing.
    function testFuzz_the_zero_address_signs_nothing(bytes calldata signature) public {
        appoint(address(0));
        expectBothRefused(address(0), signature);
        expectBothRefused(address(0), new bytes(65));
        expectBothRefused(address(0), "");
        expectBothRefused(address(0), abi.encodePacked(bytes32("r"), bytes32("s"), uint8(29)));
    }

    function test_an_account_signs_in_the_short_form_too() public {
        IRemitHub.DepositRefund memory order = fundedRefund(REFUND_KEY);
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(REFUND_KEY, Signing.refund(order.refund, address(hub), block.chainid));
        order.signature = abi.encodePacked(r, bytes32(uint256(s) | uint256(v - 27) << 255));
        refund(order);
        vm.assertEq(usdc.balanceOf(RECIPIENT), 5e6, "EIP-2098");
    }

    /// @dev EIP-7702: a signer with a delegate is called as a contract; its key alone does not count.
    function test_a_signer_with_a_delegate_is_asked_as_a_contract() public {
        IRemitHub.DepositRefund memory order = fundedRefund(REFUND_KEY);
        address signer = vm.addr(REFUND_KEY);
        vm.etch(signer, address(new KeyWallet(vm.addr(KEY))).code);
        expectRefundRefused(
            order, abi.encodeWithSelector(IHubErrors.BadSignature.selector, signer)
        );
        order.signature = signed(order.refund, KEY);
        refund(order);
        vm.assertTrue(hub.isRefundSpent(1), "paid");
    }
}
